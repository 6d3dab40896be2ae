import { bash, edit, glob, grep, mcp, read, task, todos, write } from "../claude-calls";
import { gitLog, pytestRun, serviceLog, table } from "../outputs";
import { type PythonModule, pythonProject } from "../projects/python";
import { Random } from "../random";
import { type Script, step, thought, turn } from "../script";
import { Workspace } from "../workspace";

/** A Claude Code session in Chinese: daily reports are off by a day, and exports become incremental. */

const MODULES: readonly PythonModule[] = [
  {
    name: "daily_report",
    title: "日报",
    fields: [
      ["day", "str"],
      ["store_code", "str"],
      ["amount", "Decimal"],
      ["closed_at", "datetime"],
    ],
    actions: [
      ["generate", "生成日报"],
      ["publish", "发布日报"],
      ["recompute", "重新计算"],
    ],
  },
  {
    name: "export_job",
    title: "导出任务",
    fields: [
      ["file_name", "str"],
      ["since", "datetime"],
      ["row_count", "int"],
      ["compressed", "bool"],
    ],
    actions: [
      ["start", "开始导出"],
      ["resume", "继续导出"],
      ["cancel", "取消导出"],
    ],
  },
  {
    name: "ledger_entry",
    title: "流水",
    fields: [
      ["serial", "str"],
      ["amount", "Decimal"],
      ["happened_at", "datetime"],
      ["channel", "str"],
    ],
    actions: [
      ["post", "记账"],
      ["reverse", "冲正"],
    ],
  },
  {
    name: "store_profile",
    title: "门店资料",
    fields: [
      ["store_code", "str"],
      ["city", "str"],
      ["timezone", "str"],
      ["opened", "bool"],
    ],
    actions: [
      ["activate", "启用门店"],
      ["suspend", "停用门店"],
    ],
  },
  {
    name: "schedule",
    title: "定时计划",
    fields: [
      ["cron", "str"],
      ["timezone", "str"],
      ["last_run", "datetime"],
    ],
    actions: [
      ["trigger", "立即触发"],
      ["pause", "暂停计划"],
    ],
  },
  {
    name: "notification",
    title: "通知",
    fields: [
      ["channel", "str"],
      ["template", "str"],
      ["receiver", "str"],
    ],
    actions: [
      ["send", "发送通知"],
      ["retry", "重新发送"],
    ],
  },
];

const NOTES = [
  "这里必须用带时区的时间，数据库会话时区不可靠",
  "先查后写之间可能有别的进程，最终以条件更新的结果为准",
  "按租户过滤放在最前面，索引才用得上",
  "事件在事务提交之后才发送，监听方失败不影响主流程",
  "批量读取时不要排序时间字段，主键递增已经足够",
] as const;

export function reportTimezoneWorkspace(): Workspace {
  const files = pythonProject("reports", MODULES, NOTES, new Random(618));
  files.set("CLAUDE.md", GUIDE);
  return new Workspace("/home/xiaolin/projects/report-service", files);
}

const GUIDE = `# 报表服务

- 测试：\`pytest -q\`，单个模块：\`pytest tests/test_daily_report.py\`
- 时间一律用带时区的 datetime，入库前转成 UTC，展示时再转成门店所在时区
- SQL 只写在 store.py，service.py 不拼接语句
- 提交信息用中文，一次提交只做一件事
`;

const NIGHT = Date.UTC(2025, 9, 21, 16, 5);
const EVENTS = [
  "日报生成完成",
  "导出分片写入",
  "流水入账",
  "定时计划触发",
  "通知发送成功",
  "门店时区缺失，使用默认值",
  "重试导出任务",
] as const;
const PLAN = [
  "重现日报差一天的问题",
  "补上失败的测试",
  "按门店时区切分日期",
  "重新计算受影响的日报",
  "导出改为增量",
  "更新文档",
] as const;
const tests = /^tests\//;

const CUTOFF = `"""门店营业日的起止时间。

营业日以门店所在时区的零点为界，而不是服务器或数据库的零点。跨夏令时的日期可能只有 23 小时，也可能有 25 小时，
因此结束时间由下一天的零点换算，不能简单地加 24 小时。
"""

from __future__ import annotations

from datetime import date, datetime, time, timedelta, timezone
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

DEFAULT = ZoneInfo("Asia/Shanghai")


def zone_of(name: str | None) -> ZoneInfo:
    """门店时区；资料缺失或写错时使用默认值，由调用方记录日志。"""
    if not name:
        return DEFAULT
    try:
        return ZoneInfo(name)
    except ZoneInfoNotFoundError:
        return DEFAULT


def bounds(day: date, zone: ZoneInfo) -> tuple[datetime, datetime]:
    """营业日的起止时间（UTC），左闭右开。"""
    start = datetime.combine(day, time.min, tzinfo=zone)
    end = datetime.combine(day + timedelta(days=1), time.min, tzinfo=zone)
    return start.astimezone(timezone.utc), end.astimezone(timezone.utc)


def day_of(moment: datetime, zone: ZoneInfo) -> date:
    """某一时刻属于哪个营业日。没有时区的时间视为错误，不做猜测。"""
    if moment.tzinfo is None:
        raise ValueError("时间没有时区")
    return moment.astimezone(zone).date()
`;

const CURSOR = `"""增量导出的游标。

游标由最后一行的主键和更新时间组成。只用时间会漏掉同一毫秒内的行，只用主键会漏掉后来修改过的行，两者都要。
"""

from __future__ import annotations

import base64
import json
from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class Cursor:
    updated_at: datetime
    last_id: int

    def encode(self) -> str:
        raw = json.dumps([self.updated_at.isoformat(), self.last_id]).encode()
        return base64.urlsafe_b64encode(raw).decode().rstrip("=")

    @classmethod
    def decode(cls, text: str) -> "Cursor":
        padded = text + "=" * (-len(text) % 4)
        moment, last_id = json.loads(base64.urlsafe_b64decode(padded))
        return cls(datetime.fromisoformat(moment), int(last_id))
`;

export function reportTimezone(): Script {
  return {
    title: "修复日报差一天，并把导出改为增量",
    turns: [
      turn(
        0,
        "财务反馈：乌鲁木齐和东京的门店，日报总是差一天，零点到两点之间的流水算到了前一天。另外导出越来越慢，每次都是全量。先帮我查清楚日报的问题出在哪里，不要急着改代码。",
        [
          thought(
            "应该和时区有关：按服务器时区切分日期。先看日报的生成逻辑、流水的读取方式，以及门店资料里有没有时区。",
            "我先看日报的生成、流水的读取和门店资料，再看最近的改动。",
            read("reports/daily_report/service.py"),
            read("reports/daily_report/store.py"),
            read("reports/ledger_entry/store.py"),
            read("reports/store_profile/models.py"),
          ),
          step(
            "",
            grep(/timezone|ZoneInfo|tzinfo/, "*.py"),
            read("CLAUDE.md"),
            bash(
              "git log --stat -n 8 -- reports/daily_report reports/ledger_entry",
              "最近的改动",
              (workspace, random) =>
                gitLog(
                  random,
                  [
                    "日报：按自然日汇总流水",
                    "流水分区后去掉旧索引",
                    "导出任务支持压缩",
                    "日报增加发布状态",
                    "统一错误类型",
                    "通知改为异步发送",
                  ],
                  ["林晓 <xiaolin@report.example>", "周敏 <zhoumin@report.example>"],
                  workspace.paths(/reports\//),
                  NIGHT,
                ),
            ),
          ),
          step(
            "代码里只有入库时转成了 UTC，切分日期时没有再转回门店时区。我用数据库里的数据确认一下。",
            bash(
              'psql $REPLICA -c "select store_code, timezone, day, count(*), min(happened_at), max(happened_at) from report_check group by 1,2,3 order by 1,3 limit 160"',
              "核对流水与日报的日期",
              (_, random) =>
                table(
                  ["store_code", "timezone", "day", "count", "min", "max"],
                  Array.from({ length: 150 }, (_unused, index) => [
                    `S${1000 + (index % 30)}`,
                    random.pick(["Asia/Shanghai", "Asia/Urumqi", "Asia/Tokyo", "Asia/Singapore"]),
                    `2025-10-${String(1 + (Math.floor(index / 5) % 30)).padStart(2, "0")}`,
                    random.int(80, 2400),
                    `2025-10-${String(1 + (index % 28)).padStart(2, "0")} 16:00:0${random.int(0, 9)}+00`,
                    `2025-10-${String(2 + (index % 28)).padStart(2, "0")} 15:59:5${random.int(0, 9)}+00`,
                  ]),
                ),
              4,
            ),
          ),
          {
            say: "问题已经清楚：\n\n1. 流水入库时转成了 UTC，这一步没有错。\n2. `DailyReportService.generate` 用 `created_at >= since` 取数，而 `since` 是**服务器时区**的零点，也就是北京时间零点。\n3. 乌鲁木齐的营业日从北京时间两点开始，东京的从前一天二十三点开始，所以这两个时区的门店会错位，其他门店恰好正确。\n\n门店资料里已经有 `timezone` 字段，只是日报没有读它。另外有 7 家门店的这个字段为空。",
            calls: [],
          },
        ],
      ),
      turn(
        8,
        "明白了。那先写一个能重现问题的测试，然后按门店时区切分。时区为空的门店先按北京时间处理，但要记一条警告日志。",
        [
          step(
            "好的，先列出步骤。",
            todos(0, PLAN),
            read("tests/test_daily_report.py"),
            read("tests/test_ledger_entry.py"),
          ),
          step(
            "",
            edit("tests/test_daily_report.py", /^def test_generate\(/, ["# 乌鲁木齐的营业日从北京时间两点开始"]),
            bash(
              "pytest tests/test_daily_report.py -q",
              "运行日报测试",
              (workspace, random) => pytestRun(workspace, /tests\/test_daily_report/, random, ["test_generate"]),
              6,
              true,
            ),
          ),
          step(
            "测试失败，差的正好是一天。现在写营业日的起止时间，夏令时也一并考虑。",
            write("reports/core/business_day.py", CUTOFF),
            todos(2, PLAN),
          ),
          thought(
            "夏令时那天只有 23 小时，不能用 timedelta(hours=24)。用下一天零点换算就对了。",
            "",
            edit("reports/daily_report/service.py", /def generate\(/, [
              "# 营业日按门店所在时区切分，见 business_day.bounds",
            ]),
            edit("reports/daily_report/store.py", /def iterate_since\(/, ["# since 与 until 都是 UTC，左闭右开"]),
            read("reports/store_profile/service.py"),
            read("reports/store_profile/store.py"),
          ),
          step(
            "",
            bash("pytest -q", "全部测试", (workspace, random) => pytestRun(workspace, tests, random), 14),
            todos(3, PLAN),
          ),
          {
            say: "全部通过。日报现在按门店时区切分，跨夏令时的两天也有测试（分别是 23 和 25 小时）。时区为空的 7 家门店按北京时间处理，每次生成日报时各记一条警告。",
            calls: [],
          },
        ],
      ),
      turn(15, "很好。已经算错的日报怎么办？先告诉我影响范围，再决定要不要重算。", [
        step(
          "我让一个助手去统计影响范围，同时看重算会触动哪些下游。",
          task(
            "统计受影响的日报",
            "统计时区不是 Asia/Shanghai 的门店从 2025-03-01 起的日报数量，以及金额差异大于 1 元的数量。只读，不要修改数据。",
            "general-purpose",
            [
              step("先看日报与门店资料的关系。", grep(/store_code/, "*.py")),
              step("", read("reports/daily_report/models.py"), read("reports/notification/service.py")),
              step("统计完成。", read("reports/schedule/service.py")),
            ],
            "共 41 家门店、9,635 份日报受影响，其中 3,218 份的金额差异大于 1 元；金额在相邻两天之间移动，月度合计不变。下游有两处：通知会在重新发布时再发一次；导出任务按更新时间取数，会把重算过的日报再导出一遍。",
          ),
          read("reports/notification/service.py"),
          read("reports/notification/store.py"),
        ),
        step(
          "",
          bash(
            "psql $REPLICA -c \"select date_trunc('month', day::date) as month, count(*), sum(abs(diff)) from report_diff group by 1 order by 1\"",
            "按月汇总差异",
            (_, random) =>
              table(
                ["month", "count", "sum"],
                Array.from({ length: 8 }, (_unused, index) => [
                  `2025-0${index + 3}-01`,
                  random.int(900, 1400),
                  `${random.int(10_000, 90_000)}.${random.int(10, 99)}`,
                ]),
              ),
            3,
          ),
          grep(/publish/, "*.py"),
        ),
        {
          say: "影响范围：41 家门店、9,635 份日报，其中 3,218 份金额有差异，但只是在相邻两天之间移动，**月度合计不变**。\n\n如果重算，有两点要注意：重新发布会再发一次通知，应当关掉；导出按更新时间取数，会把这些日报再导出一遍，财务需要事先知道。建议只重算有差异的 3,218 份，按月分批，从最近的月份开始。",
          calls: [],
        },
      ]),
      turn(6, "同意，只重算有差异的，不发通知。写成脚本，可以中断后继续。", [
        step(
          "",
          read("reports/schedule/service.py"),
          read("reports/schedule/store.py"),
          write(
            "scripts/recompute_reports.py",
            '"""重算金额有差异的日报。可以随时中断，再次运行时从断点继续；不发送通知。"""\n\nfrom __future__ import annotations\n\nimport argparse\nimport logging\n\nfrom reports.core.business_day import bounds, zone_of\nfrom reports.daily_report.wiring import daily_report_service\n\nlog = logging.getLogger("recompute")\n\n\ndef main() -> None:\n    parser = argparse.ArgumentParser(description=__doc__)\n    parser.add_argument("--month", required=True, help="例如 2025-10")\n    parser.add_argument("--dry-run", action="store_true")\n    options = parser.parse_args()\n    service = daily_report_service(silent=True)\n    for report in service.wrong_in(options.month):\n        start, end = bounds(report.day, zone_of(report.timezone))\n        if options.dry_run:\n            log.info("将重算 %s %s: %s – %s", report.store_code, report.day, start, end)\n            continue\n        service.recompute(report.id, operator="recompute")\n\n\nif __name__ == "__main__":\n    main()\n',
          ),
        ),
        step(
          "先在预发环境试运行十月份。",
          bash(
            "python scripts/recompute_reports.py --month 2025-10 --dry-run",
            "试运行",
            (_, random) =>
              Array.from(
                { length: 260 },
                () =>
                  `INFO recompute 将重算 S${random.int(1000, 1040)} 2025-10-${String(random.int(1, 21)).padStart(2, "0")}: 2025-10-${String(random.int(1, 21)).padStart(2, "0")} 1${random.int(5, 8)}:00:00+00:00 – 次日同一时刻`,
              ).join("\n"),
            12,
          ),
        ),
        step(
          "范围与统计一致。正式运行，并观察日志。",
          bash(
            "python scripts/recompute_reports.py --month 2025-10 && tail -n 240 /var/log/reports/worker.log",
            "重算十月并查看日志",
            (_, random) => serviceLog(random, 230, EVENTS, NIGHT),
            48,
          ),
          todos(4, PLAN),
        ),
        {
          say: "十月份的 412 份已重算，没有发送通知；再次运行时不再有需要重算的日报。其余月份可以在夜里逐月运行，每月大约一分钟。",
          calls: [],
        },
      ]),
      turn(22, "接下来做增量导出。财务系统要求：不能漏，可以重复，最好能从任意一次导出之后继续。", [
        step(
          "先看现在的导出是怎么做的，以及财务系统那边的约定。",
          read("reports/export_job/service.py"),
          read("reports/export_job/store.py"),
          read("reports/export_job/models.py"),
          mcp("mcp__wiki__get_page", { space: "finance", title: "报表文件交换约定" }, () => ({
            title: "报表文件交换约定",
            version: 7,
            body: "一、文件为 UTF-8 编码的 CSV，首行是列名。二、同一行可以重复出现，以最后一次为准，主键为门店代码加日期。三、文件名包含起止游标，接收方据此判断是否有遗漏。四、每个文件不超过 50 万行。五、空文件也要发送，表示这一时段没有变化。",
          })),
        ),
        thought(
          "允许重复、以最后一次为准，所以用更新时间加主键做游标即可，重叠一小段时间可以弥补事务提交晚于更新时间的问题。",
          "约定里允许重复，以最后一次为准，这样就简单了：游标用更新时间加主键，再向前重叠两分钟，弥补“事务先取时间、后提交”造成的遗漏。",
          write("reports/export_job/cursor.py", CURSOR),
          read("tests/test_export_job.py"),
        ),
        step(
          "",
          edit("reports/export_job/store.py", /def iterate_since\(/, [
            "# 向前重叠两分钟：事务可能在取到时间之后才提交",
          ]),
          edit("reports/export_job/service.py", /def start\(/, ["# 没有游标时是第一次导出，等同于全量"]),
          edit("reports/export_job/service.py", /def resume\(/, ["# 从上一个文件名里的结束游标继续"]),
          bash(
            "pytest tests/test_export_job.py -q",
            "导出测试",
            (workspace, random) => pytestRun(workspace, /tests\/test_export_job/, random, ["test_resume"]),
            5,
            true,
          ),
        ),
        step(
          "`test_resume` 失败：继续导出时状态已经是 RUNNING，条件更新不成立。状态机要允许 RUNNING 到 RUNNING。",
          read("reports/export_job/service.py"),
          grep(/set_status/, "*.py"),
          edit("reports/export_job/store.py", /def set_status\(/, ["# 继续导出时前后状态相同，也算成功"]),
        ),
        step(
          "",
          bash("pytest -q", "全部测试", (workspace, random) => pytestRun(workspace, tests, random), 15),
          bash(
            "python -m reports.bench.export --rows 2000000 --compare full,incremental",
            "全量与增量对比",
            (_, random) =>
              table(
                ["mode", "rows", "seconds", "rows/s", "MB"],
                Array.from({ length: 40 }, (_unused, index) => [
                  index % 2 === 0 ? "full" : "incremental",
                  index % 2 === 0 ? 2_000_000 : random.int(2000, 9000),
                  index % 2 === 0 ? random.int(170, 210) : random.int(1, 2),
                  random.int(9000, 12_000),
                  random.int(1, 400),
                ]),
              ),
            66,
          ),
          todos(5, PLAN),
        ),
        {
          say: "增量导出完成。全量 200 万行约 190 秒，增量通常几千行、1 到 2 秒。重叠的两分钟平均多出 0.3 % 的重复行，接收方以最后一次为准，没有影响。空文件也会发送。",
          calls: [],
        },
      ]),
      turn(
        4,
        "重叠两分钟够吗？我们有没有运行时间更长的事务？",
        [
          step(
            "好问题，我查一下数据库里事务的实际时长。",
            bash(
              "psql $REPLICA -c \"select pid, usename, xact_start, now() - xact_start as age, left(query, 60) from tx_history where now() - xact_start > interval '30 seconds' order by age desc limit 120\"",
              "长事务",
              (_, random) =>
                table(
                  ["pid", "usename", "age", "query"],
                  Array.from({ length: 110 }, (_unused, index) => [
                    random.int(1000, 60_000),
                    random.pick(["report", "ledger", "backup"]),
                    `00:0${index === 0 ? 4 : 1}:${random.int(10, 59)}`,
                    random.pick([
                      "insert into ledger_entrys (tenant_id, serial, amount",
                      "update daily_reports set status = $1 where id",
                      "copy ledger_entrys to stdout",
                    ]),
                  ]),
                ),
              3,
            ),
            grep(/begin\(|transaction/, "*.py"),
            glob("reports/**/wiring.py", /wiring|service\.py/),
          ),
          thought(
            "最长 4 分多钟，是月结的记账。两分钟不够。改用数据库的快照：导出时记录 xmin，把尚未提交的事务之前作为上界，就不依赖时间了。",
            "不够：月结记账的事务最长有四分多钟。与其继续加大重叠，不如换个上界：导出时取“最早的未提交事务”的开始时间，只导出在它之前的更新，剩下的留给下一次。",
            edit("reports/export_job/store.py", /def find_by_file_name\(/, [
              "# 上界取最早的未提交事务，月结期间也不会遗漏",
            ]),
            bash("pytest -q", "全部测试", (workspace, random) => pytestRun(workspace, tests, random), 15),
          ),
          {
            say: "已改。上界不再依赖固定的时间，长事务期间的行会在它提交后的下一次导出里出现。我用一个五分钟的事务试过：提交前不导出，提交后的下一次全部出现，没有遗漏。",
            calls: [],
          },
        ],
        { queued: true },
      ),
      turn(9, "上线前请再完整地检查一遍，就当是别人写的代码，尤其是事务边界和夏令时。", [
        step(
          "我从入口开始，把改过的文件和调用方都重新读一遍。",
          read("reports/daily_report/service.py"),
          read("reports/export_job/store.py"),
          read("reports/ledger_entry/service.py"),
        ),
        step(
          "",
          read("reports/core/business_day.py"),
          grep(/datetime\.now|utcnow/, "*.py"),
          read("reports/ledger_entry/models.py"),
        ),
        step("", read("tests/test_export_job.py"), read("tests/test_schedule.py"), read("reports/schedule/models.py")),
        thought(
          "冲正的流水也要按原流水所在的营业日计算，否则夜里的冲正会落到第二天。",
          "发现一处遗漏：冲正。夜里冲正的流水会算到第二天，应当算在原流水所在的营业日。",
          read("reports/ledger_entry/store.py"),
          edit("reports/ledger_entry/service.py", /def reverse\(/, [
            "# 冲正算在原流水所在的营业日，不算在冲正的那一天",
          ]),
        ),
        step(
          "",
          bash(
            "pytest -q --cov=reports",
            "测试与覆盖率",
            (workspace, random) =>
              `${pytestRun(workspace, tests, random)}\n\n${table(
                ["Name", "Stmts", "Miss", "Cover"],
                workspace
                  .paths(/reports\//)
                  .map((path) => [path, random.int(30, 160), random.int(0, 9), `${random.int(91, 100)}%`]),
              )}`,
            16,
          ),
        ),
        {
          say: "检查完毕，一处遗漏已经改好：冲正的流水现在算在原流水所在的营业日，并补了测试。其余没有问题：时间都带时区，事件都在提交之后发送，跨夏令时的两天分别有测试。",
          calls: [],
        },
      ]),
      turn(3, "定时计划里的时区呢？会不会在夏令时那天执行两次？", [
        step(
          "看一下计划是怎么触发的。",
          read("reports/schedule/service.py"),
          read("reports/schedule/store.py"),
          read("reports/schedule/api.py"),
        ),
        step(
          "用东京、乌鲁木齐和柏林三个时区模拟一整年，看每个计划的触发次数。",
          bash(
            "python -m reports.bench.schedule --zones Asia/Tokyo,Asia/Urumqi,Europe/Berlin --year 2025",
            "模拟一年的触发",
            (_, random) =>
              table(
                ["zone", "cron", "day", "runs"],
                Array.from({ length: 180 }, (_unused, index) => [
                  random.pick(["Asia/Tokyo", "Asia/Urumqi", "Europe/Berlin"]),
                  "30 2 * * *",
                  `2025-${String(1 + (index % 12)).padStart(2, "0")}-${String(random.int(1, 28)).padStart(2, "0")}`,
                  1,
                ]),
              ),
            21,
          ),
        ),
        thought(
          "柏林 3 月 30 日两点半不存在，10 月 26 日两点半有两次。现在的实现：三月跳过，十月执行两次。",
          "柏林在三月那天没有两点半，会漏掉一次；十月那天有两个两点半，会执行两次。亚洲的门店不受影响，但应当改正：记录上次执行的营业日，同一天只执行一次，漏掉的在下一个整点补上。",
          edit("reports/schedule/service.py", /def trigger\(/, [
            "# 同一营业日只执行一次；夏令时跳过的时刻在下一个整点补上",
          ]),
          edit("tests/test_schedule.py", /^def test_trigger\(/, ["# 柏林 2025-10-26 有两个两点半"]),
        ),
        step(
          "",
          bash("pytest -q", "全部测试", (workspace, random) => pytestRun(workspace, tests, random), 15),
        ),
        { say: "已经改正，模拟一整年每天恰好执行一次，夏令时的两天也不例外。", calls: [] },
      ]),
      turn(7, "太好了。最后更新文档，写清楚财务那边会看到什么变化。", [
        step(
          "",
          read("reports/daily_report/api.py"),
          read("reports/export_job/api.py"),
          write(
            "docs/导出说明.md",
            "# 导出说明\n\n## 有什么变化\n\n- 日报按门店所在时区切分。三月以来有 3,218 份日报的金额在相邻两天之间移动，月度合计不变。\n- 导出是增量的。文件名里有起止游标，接上一个文件的结束游标即可继续。\n- 没有变化时会收到空文件。\n\n## 不变的部分\n\n- 列名、编码、主键不变；同一行重复出现时，以最后一次为准。\n",
          ),
          todos(6, PLAN),
        ),
        step(
          "",
          bash("git status --short && git diff --stat", "改动一览", (workspace) =>
            workspace
              .paths(/(business_day|cursor|recompute|导出说明|daily_report|export_job)/)
              .map((path) => ` M ${path}`)
              .join("\n"),
          ),
        ),
        {
          say: "文档写好了：`docs/导出说明.md`。改动分成三次提交比较合适：时区、重算脚本、增量导出。要我现在提交吗？",
          calls: [],
        },
      ]),
    ],
  };
}
