import { create, exec, patch, plan, ripgrep, show } from "../codex-calls";
import { pytestRun, serviceLog, table } from "../outputs";
import { type PythonModule, pythonProject } from "../projects/python";
import { Random } from "../random";
import { type Script, step, thought, turn } from "../script";
import { Workspace } from "../workspace";

/** A Codex session in Chinese: messages are handled twice, and why. */

const MODULES: readonly PythonModule[] = [
  {
    name: "consumer",
    title: "消费者",
    fields: [
      ["topic", "str"],
      ["offset_value", "int"],
      ["lag", "int"],
      ["joined_at", "datetime"],
    ],
    actions: [
      ["poll", "拉取消息"],
      ["commit", "提交位点"],
      ["rebalance", "重新分配"],
    ],
  },
  {
    name: "payment",
    title: "支付单",
    fields: [
      ["serial", "str"],
      ["amount", "Decimal"],
      ["paid_at", "datetime"],
    ],
    actions: [
      ["capture", "扣款"],
      ["refund", "退款"],
    ],
  },
  {
    name: "coupon",
    title: "优惠券",
    fields: [
      ["code", "str"],
      ["amount", "Decimal"],
      ["expires_at", "datetime"],
    ],
    actions: [
      ["grant", "发券"],
      ["redeem", "核销"],
    ],
  },
  {
    name: "inbox",
    title: "收件箱",
    fields: [
      ["message_id", "str"],
      ["topic", "str"],
      ["received_at", "datetime"],
    ],
    actions: [
      ["accept", "登记消息"],
      ["forget", "清理旧消息"],
    ],
  },
  {
    name: "outbox",
    title: "发件箱",
    fields: [
      ["event", "str"],
      ["body", "str"],
      ["sent_at", "datetime"],
    ],
    actions: [
      ["enqueue", "写入事件"],
      ["flush", "发送事件"],
    ],
  },
];

const NOTES = [
  "同一条消息可能到达多次，处理必须可以重复执行",
  "位点只能在业务事务提交之后提交",
  "重新分配期间不要再拉取新消息",
  "超时之后结果未知，不能当作失败处理",
] as const;

export const CONSUMER_GUIDE = `# 约定

- 运行测试：\`pytest -q\`；代码检查：\`ruff check .\`
- 业务规则写在 service.py，存取写在 store.py
- 消息处理必须可以重复执行，不依赖“只会收到一次”
- 注释和提交信息用中文`;

const START = Date.UTC(2026, 0, 28, 6, 20);
const EVENTS = [
  "收到消息",
  "扣款成功",
  "提交位点",
  "心跳超时，离开消费组",
  "重新分配分区",
  "优惠券已发放",
  "消息重复，跳过",
] as const;
const STEPS = ["重现重复消费", "确认位点提交的时机", "加收件箱去重", "缩短单批处理时间", "压测并补文档"] as const;
const tests = /^tests\//;

export function duplicateConsumerWorkspace(): Workspace {
  return new Workspace("/Users/chenyu/code/billing-worker", pythonProject("billing", MODULES, NOTES, new Random(233)));
}

export function duplicateConsumer(): Script {
  return {
    title: "排查优惠券重复发放：同一条消息被处理两次",
    turns: [
      turn(
        0,
        "线上有用户反映同一张优惠券领到两张，日志里同一个 message_id 出现了两次处理记录，集中在每天上午十点。请先分析原因，不要改代码。",
        [
          thought(
            "**分析重复消费**\n\n先看消费者的拉取和提交位点的顺序，再看优惠券发放是否幂等，最后看日志。",
            "我先看消费者和优惠券的处理逻辑，以及收件箱现在的用法。",
            show("billing/consumer/service.py"),
            show("billing/coupon/service.py"),
            show("billing/inbox/service.py"),
            ripgrep(/commit|poll/, /\.py$/),
          ),
          step(
            "",
            show("billing/consumer/store.py"),
            show("billing/inbox/store.py"),
            exec(
              "grep -E '\"message_id\"' logs/worker-0127.log | sort | uniq -c | sort -rn | head -n 130",
              (_, random) =>
                Array.from(
                  { length: 120 },
                  (_unused, index) =>
                    `   ${index < 70 ? 2 : 1} {"message_id":"m-${random.hex(10)}","topic":"coupon.granted"}`,
                ).join("\n"),
              2.2,
            ),
          ),
          step(
            "再看十点前后消费组的日志。",
            exec(
              "sed -n '/T02:0/p' logs/worker-0127.log | head -n 300",
              (_, random) => serviceLog(random, 280, EVENTS, START),
              1.3,
            ),
            exec(
              "python -m billing.tools.group --describe billing-worker",
              (_, random) =>
                table(
                  ["partition", "member", "offset", "lag", "last rebalance"],
                  Array.from({ length: 48 }, (_unused, index) => [
                    index,
                    `worker-${random.int(1, 6)}`,
                    random.int(1_000_000, 9_000_000),
                    random.int(0, 4000),
                    `10:0${random.int(0, 6)}:${random.int(10, 59)}`,
                  ]),
                ),
              1.8,
            ),
          ),
          step(
            "原因是**单批处理时间超过心跳上限**：\n\n1. 上午十点发券活动开始，一批 500 条消息要处理 48 秒，而 `max.poll.interval` 是 45 秒。\n2. 消费者被踢出消费组，分区分给别的进程，从上一次提交的位点重新开始。\n3. 原来的进程并不知道，继续把这一批处理完，于是同一批消息被处理两次。\n4. `grant` 没有登记 message_id，收件箱表存在但没有被用到，所以重复的消息真的又发了一张券。",
          ),
        ],
      ),
      turn(9, "分析得很清楚。扣款是不是也有同样的风险？", [
        step(
          "",
          show("billing/payment/service.py"),
          show("billing/payment/store.py"),
          show("billing/outbox/service.py"),
          ripgrep(/serial/, /\.py$/),
        ),
        step(
          "扣款没有这个问题：流水号有唯一索引，重复的扣款会被数据库拒绝。但是**退款有**：退款只检查状态，两个进程同时读到“已支付”时会各退一次。过去 30 天里我没有发现实际发生的例子，可以用下面的查询确认。",
          exec(
            "psql $REPLICA -c 'select serial, count(*) from refunds group by 1 having count(*) > 1'",
            () => table(["serial", "count"], []),
            0.9,
          ),
        ),
        step("确认没有发生过，但应当和发券一起修。"),
      ]),
      turn(5, "好，一起修。先写重现问题的测试，再用收件箱去重，收件箱登记和业务写入要在同一个事务里。", [
        step(
          "先列出步骤，再看现有的测试。",
          plan(0, STEPS),
          show("tests/test_coupon.py"),
          show("tests/test_consumer.py"),
          show("tests/test_inbox.py"),
        ),
        step(
          "",
          create(
            "tests/test_duplicates.py",
            '"""同一条消息到达两次，只能产生一次效果。"""\n\nfrom concurrent.futures import ThreadPoolExecutor\n\nimport pytest\n\nfrom tests.support import coupon_service, make_coupon, message\n\n\ndef test_grant_twice(database):\n    service = coupon_service(database)\n    coupon = make_coupon(database)\n    for _ in range(2):\n        service.grant(coupon, operator="消费者", message=message("m-1"))\n    assert service.granted(coupon) == 1\n\n\ndef test_grant_in_parallel(database):\n    service = coupon_service(database)\n    coupon = make_coupon(database)\n    with ThreadPoolExecutor(max_workers=2) as pool:\n        list(pool.map(lambda _: service.grant(coupon, operator="消费者", message=message("m-2")), range(2)))\n    assert service.granted(coupon) == 1\n',
          ),
          exec(
            "pytest -q tests/test_duplicates.py",
            (workspace, random) =>
              pytestRun(workspace, /tests\/test_duplicates/, random, ["test_grant_twice", "test_grant_in_parallel"]),
            3.1,
            1,
          ),
        ),
        thought(
          "**在同一个事务里登记**\n\n收件箱的 message_id 加唯一索引，插入失败即为重复，直接返回。",
          "两个测试都失败，符合预期。收件箱用唯一索引登记，插入不成功就是重复消息，直接返回。",
          patch("billing/coupon/service.py", /def grant\(/, [
            "# 先在同一个事务里登记 message_id，登记不成功说明已经处理过",
          ]),
          patch("billing/payment/service.py", /def refund\(/, ["# 与发券相同：先登记，再退款"]),
          patch("billing/inbox/store.py", /def insert\(/, ["# 依靠 (topic, message_id) 的唯一索引判断是否重复"]),
          plan(2, STEPS),
        ),
        step(
          "",
          exec("pytest -q", (workspace, random) => pytestRun(workspace, tests, random, ["test_accept"]), 8.4, 1),
          show("billing/inbox/models.py"),
        ),
        step(
          "`test_accept` 用同一个 message_id 登记了两个主题，唯一索引应当包含主题。改正索引后再运行。",
          create(
            "migrations/0017_inbox_unique.sql",
            "create unique index concurrently inbox_message on inboxs (topic, message_id);\n",
          ),
          exec("pytest -q", (workspace, random) => pytestRun(workspace, tests, random), 8.8),
        ),
        step("全部通过。发券和退款都在同一个事务里登记 message_id，并行的两个线程也只发一张券。"),
      ]),
      turn(13, "再处理根本原因：单批时间太长。不要简单地调大超时。", [
        step(
          "",
          show("billing/consumer/service.py"),
          show("billing/outbox/store.py"),
          exec(
            "python -m billing.tools.profile --topic coupon.granted --batch 500",
            (_, random) =>
              table(
                ["step", "calls", "total ms", "mean ms", "p99 ms"],
                Array.from({ length: 60 }, (_unused, index) => [
                  `${random.pick(["select coupon", "insert grant", "publish event", "load user", "check limit"])} #${index}`,
                  random.int(100, 500),
                  random.int(100, 19_000),
                  random.int(1, 60),
                  random.int(5, 300),
                ]),
              ),
            52,
          ),
        ),
        thought(
          "**逐条查询用户**\n\n48 秒里有 31 秒是逐条读取用户资料，可以按批读取。",
          "48 秒里有 31 秒花在逐条读取用户资料。按批读取，并且按处理时间而不是条数来决定一批的大小。",
          patch("billing/consumer/service.py", /def poll\(/, ["# 一批最多处理 15 秒，剩下的留给下一次"]),
          patch("billing/coupon/store.py", /def get\(/, ["# 批量读取见 get_many，逐条读取只用于单个请求"]),
          exec("pytest -q", (workspace, random) => pytestRun(workspace, tests, random), 8.6),
        ),
        step(
          "",
          exec(
            "python -m billing.tools.load --topic coupon.granted --rate 900 --minutes 10 --kill-every 60",
            (_, random) =>
              table(
                ["minute", "handled", "repeated", "skipped", "p99 batch s", "rebalances"],
                Array.from({ length: 130 }, (_unused, index) => [
                  index,
                  random.int(50_000, 54_000),
                  random.int(0, 900),
                  random.int(0, 900),
                  `${random.int(2, 6)}.${random.int(0, 9)}`,
                  random.int(0, 1),
                ]),
              ),
            610,
          ),
          plan(4, STEPS),
        ),
        step(
          "压测结果：每分钟强制结束一个进程，重复到达 21,604 条，全部被跳过，没有多发一张券。单批最长 6.8 秒，正常情况下不再有重新分配。",
        ),
      ]),
      turn(6, "收件箱会越来越大，怎么清理？保留多久合适？", [
        step(
          "",
          show("billing/inbox/service.py"),
          show("billing/inbox/api.py"),
          exec(
            "python -m billing.tools.retention --days 90",
            (_, random) =>
              table(
                ["topic", "messages/day", "oldest repeat h", "kept days", "rows", "MB"],
                Array.from({ length: 36 }, (_unused, index) => [
                  `topic-${index}`,
                  random.int(1000, 900_000),
                  random.int(1, 70),
                  7,
                  random.int(10_000, 6_000_000),
                  random.int(1, 900),
                ]),
              ),
            4.4,
          ),
        ),
        step(
          "最晚的一次重复出现在 70 小时之后（手动重放位点）。消息在队列里保留 7 天，所以收件箱保留 **8 天**就不会漏：比队列多一天。按天分区，清理时直接删除分区，不产生大事务。",
          patch("billing/inbox/service.py", /def forget\(/, ["# 比消息在队列里的保留时间多一天"]),
          exec(
            "pytest -q && ruff check .",
            (workspace, random) => `${pytestRun(workspace, tests, random)}\nAll checks passed!`,
            9.2,
          ),
        ),
        step("已经完成，测试和代码检查都通过。"),
      ]),
      turn(8, "发件箱会不会也有重复发送的问题？顺便把相关的测试都看一遍。", [
        step(
          "",
          show("billing/outbox/service.py"),
          show("billing/outbox/models.py"),
          show("tests/test_outbox.py"),
          show("tests/test_payment.py"),
        ),
        step(
          "发送之后、标记之前进程退出，就会重复发送；接收方按事件编号去重，所以没有影响。用一次故障注入确认。",
          exec(
            "python -m billing.tools.crash --point after-send --times 200",
            (_, random) => serviceLog(random, 200, EVENTS, START + 3_600_000),
            44,
          ),
          ripgrep(/enqueue|flush/, /\.py$/),
        ),
        step(
          "确认：注入 200 次故障，重复发送 200 次，接收方全部跳过。发件箱不需要修改，我只补一条注释说明原因。",
          patch("billing/outbox/service.py", /def flush\(/, ["# 可能重复发送：接收方按事件编号去重"]),
        ),
        step("发件箱没有问题，已补上说明。"),
      ]),
      turn(4, "写一份给值班同事的说明：看到什么日志是正常的，什么时候要叫人。", [
        step(
          "",
          create(
            "docs/重复消息.md",
            "# 重复消息\n\n看到“消息重复，跳过”是正常的，每天几十到几千条都可以。\n\n下面的情况要叫人：\n\n- “心跳超时，离开消费组”每小时超过 5 次；\n- 单批时间超过 20 秒；\n- 收件箱的分区没有按天减少。\n\n不要重启全部进程，也不要手动修改位点。\n",
          ),
          exec(
            "git status --short",
            () =>
              " M billing/consumer/service.py\n M billing/coupon/service.py\n M billing/inbox/service.py\n M billing/payment/service.py\n?? docs/重复消息.md\n?? migrations/0017_inbox_unique.sql\n?? tests/test_duplicates.py",
          ),
          plan(5, STEPS),
        ),
        step("说明写在 `docs/重复消息.md`。一共改了 4 个文件，新增 3 个，还没有提交。"),
      ]),
    ],
  };
}
