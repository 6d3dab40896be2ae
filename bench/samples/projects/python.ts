import type { Random } from "../random";

/** A thing that an invented Python service deals with; comments and docstrings are in the language of its team. */
export interface PythonModule {
  readonly name: string;
  /** What it is, for the docstring. */
  readonly title: string;
  readonly fields: readonly (readonly [string, "str" | "int" | "Decimal" | "datetime" | "bool"])[];
  readonly actions: readonly (readonly [string, string])[];
}

export function pythonProject(
  packageName: string,
  modules: readonly PythonModule[],
  notes: readonly string[],
  random: Random,
): Map<string, string> {
  const files = new Map<string, string>();
  for (const module of modules) {
    files.set(`${packageName}/${module.name}/models.py`, models(module, random));
    files.set(`${packageName}/${module.name}/store.py`, store(module, notes, random));
    files.set(`${packageName}/${module.name}/service.py`, service(packageName, module, notes, random));
    files.set(`${packageName}/${module.name}/api.py`, api(packageName, module));
    files.set(`tests/test_${module.name}.py`, tests(packageName, module, random));
  }
  return files;
}

const camel = (text: string): string =>
  text
    .split("_")
    .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
    .join("");

function models({ name, title, fields }: PythonModule, random: Random): string {
  return `"""${title}。"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime, timezone
from decimal import Decimal
from enum import Enum


class ${camel(name)}Status(str, Enum):
    PENDING = "pending"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class ${camel(name)}:
    """${title}，只读。"""

    id: int
    tenant_id: int
${fields.map(([field, kind]) => `    ${field}: ${kind}${random.chance(0.3) ? " | None" : ""}`).join("\n")}
    status: ${camel(name)}Status = ${camel(name)}Status.PENDING
    retries: int = 0
    created_at: datetime = field(default_factory=lambda: datetime.now(timezone.utc))

    @property
    def finished(self) -> bool:
        return self.status in (${camel(name)}Status.DONE, ${camel(name)}Status.FAILED)

    def to_row(self) -> dict[str, object]:
        return {
            "tenant_id": self.tenant_id,
${fields.map(([field, kind]) => `            "${field}": ${kind === "datetime" ? `self.${field}.isoformat() if self.${field} else None` : `self.${field}`},`).join("\n")}
            "status": self.status.value,
            "retries": self.retries,
        }

    @classmethod
    def from_row(cls, row: dict[str, object]) -> "${camel(name)}":
        return cls(
            id=int(row["id"]),
            tenant_id=int(row["tenant_id"]),
${fields.map(([field, kind]) => `            ${field}=${kind === "datetime" ? `datetime.fromisoformat(str(row["${field}"]))` : `${kind}(row["${field}"])`},`).join("\n")}
            status=${camel(name)}Status(row["status"]),
            retries=int(row.get("retries", 0)),
        )
`;
}

function store({ name, title, fields }: PythonModule, notes: readonly string[], random: Random): string {
  const table = `${name}s`;
  const key = fields[0]?.[0] ?? "id";
  return `"""${title}的存取。所有 SQL 都在这里，上层不拼接语句。"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from datetime import datetime

from sqlalchemy import text
from sqlalchemy.engine import Connection

from .models import ${camel(name)}, ${camel(name)}Status

log = logging.getLogger(__name__)

BATCH = ${random.pick([200, 500, 1000])}


class ${camel(name)}Store:
    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def get(self, item_id: int) -> ${camel(name)} | None:
        row = self._connection.execute(
            text("select * from ${table} where id = :id"), {"id": item_id}
        ).mappings().first()
        return ${camel(name)}.from_row(dict(row)) if row else None

    def find_by_${key}(self, tenant_id: int, ${key}: str) -> ${camel(name)} | None:
        # ${random.pick(notes)}
        row = self._connection.execute(
            text(
                """
                select * from ${table}
                 where tenant_id = :tenant_id and ${key} = :${key}
                 order by created_at desc
                 limit 1
                """
            ),
            {"tenant_id": tenant_id, "${key}": ${key}},
        ).mappings().first()
        return ${camel(name)}.from_row(dict(row)) if row else None

    def iterate_since(self, tenant_id: int, since: datetime) -> Iterator[${camel(name)}]:
        """按主键分批读取，避免一次加载整张表。"""
        last_id = 0
        while True:
            rows = self._connection.execute(
                text(
                    """
                    select * from ${table}
                     where tenant_id = :tenant_id and created_at >= :since and id > :last_id
                     order by id
                     limit :batch
                    """
                ),
                {"tenant_id": tenant_id, "since": since, "last_id": last_id, "batch": BATCH},
            ).mappings().all()
            if not rows:
                return
            for row in rows:
                yield ${camel(name)}.from_row(dict(row))
            last_id = int(rows[-1]["id"])

    def insert(self, item: ${camel(name)}) -> int:
        row = item.to_row()
        columns = ", ".join(row)
        values = ", ".join(f":{column}" for column in row)
        result = self._connection.execute(
            text(f"insert into ${table} ({columns}) values ({values}) returning id"), row
        )
        return int(result.scalar_one())

    def set_status(self, item_id: int, status: ${camel(name)}Status, *, expected: ${camel(name)}Status) -> bool:
        # ${random.pick(notes)}
        result = self._connection.execute(
            text("update ${table} set status = :status where id = :id and status = :expected"),
            {"id": item_id, "status": status.value, "expected": expected.value},
        )
        changed = result.rowcount == 1
        if not changed:
            log.warning("${name} %s 的状态已被其他进程修改", item_id)
        return changed
`;
}

function service(
  packageName: string,
  { name, title, actions }: PythonModule,
  notes: readonly string[],
  random: Random,
): string {
  return `"""${title}的业务规则。"""

from __future__ import annotations

import logging
from datetime import datetime, timedelta, timezone

from ${packageName}.core.clock import Clock
from ${packageName}.core.errors import Conflict, NotFound
from ${packageName}.core.events import EventBus
from .models import ${camel(name)}, ${camel(name)}Status
from .store import ${camel(name)}Store

log = logging.getLogger(__name__)

TIMEOUT = timedelta(minutes=${random.int(2, 12) * 5})
MAX_RETRIES = ${random.int(2, 6)}


class ${camel(name)}Service:
    def __init__(self, store: ${camel(name)}Store, events: EventBus, clock: Clock) -> None:
        self._store = store
        self._events = events
        self._clock = clock

${actions
  .map(
    ([action, meaning]) => `    def ${action}(self, item_id: int, *, operator: str) -> ${camel(name)}:
        """${meaning}。

        ${random.pick(notes)}
        """
        item = self._store.get(item_id)
        if item is None:
            raise NotFound("${name}", item_id)
        if item.finished:
            raise Conflict(f"${title}已结束，不能${meaning}", item_id=item_id, status=item.status)
        if item.retries >= MAX_RETRIES:
            self._store.set_status(item_id, ${camel(name)}Status.FAILED, expected=item.status)
            raise Conflict("重试次数过多", item_id=item_id, retries=item.retries)
        started = self._clock.now()
        if not self._store.set_status(item_id, ${camel(name)}Status.RUNNING, expected=item.status):
            raise Conflict("状态已变化，请重新读取", item_id=item_id)
        log.info("开始${meaning}: id=%s operator=%s", item_id, operator)
        self._events.publish(
            "${name}.${action}",
            {"id": item_id, "tenant_id": item.tenant_id, "at": started.isoformat(), "operator": operator},
        )
        return self._require(item_id)
`,
  )
  .join("\n")}
    def expire(self, now: datetime | None = None) -> int:
        """把超时的任务标记为失败，返回数量。"""
        now = now or datetime.now(timezone.utc)
        expired = 0
        for item in self._store.iterate_since(0, now - TIMEOUT * 4):
            if item.status is ${camel(name)}Status.RUNNING and now - item.created_at > TIMEOUT:
                expired += self._store.set_status(
                    item.id, ${camel(name)}Status.FAILED, expected=${camel(name)}Status.RUNNING
                )
        return expired

    def _require(self, item_id: int) -> ${camel(name)}:
        item = self._store.get(item_id)
        if item is None:
            raise NotFound("${name}", item_id)
        return item
`;
}

function api(packageName: string, { name, title, actions }: PythonModule): string {
  return `"""${title}的 HTTP 接口。"""

from __future__ import annotations

from fastapi import APIRouter, Depends, Query

from ${packageName}.core.auth import Operator, current_operator
from ${packageName}.core.paging import Page, page_of
from .models import ${camel(name)}
from .service import ${camel(name)}Service
from .wiring import ${name}_service

router = APIRouter(prefix="/${name.replaceAll("_", "-")}s", tags=["${title}"])


@router.get("")
def list_${name}s(
    cursor: str | None = Query(default=None, max_length=200),
    limit: int = Query(default=50, ge=1, le=500),
    service: ${camel(name)}Service = Depends(${name}_service),
    operator: Operator = Depends(current_operator),
) -> Page[${camel(name)}]:
    return page_of(service, operator.tenant_id, cursor=cursor, limit=limit)
${actions
  .map(
    ([action, meaning]) => `

@router.post("/{item_id}/${action.replaceAll("_", "-")}", summary="${meaning}")
def ${action}(
    item_id: int,
    service: ${camel(name)}Service = Depends(${name}_service),
    operator: Operator = Depends(current_operator),
) -> ${camel(name)}:
    return service.${action}(item_id, operator=operator.name)`,
  )
  .join("\n")}
`;
}

function tests(packageName: string, { name, title, actions }: PythonModule, random: Random): string {
  return `"""${title}的测试。"""

from datetime import datetime, timedelta, timezone

import pytest

from ${packageName}.core.errors import Conflict, NotFound
from ${packageName}.${name}.models import ${camel(name)}Status
from tests.support import FakeClock, RecordingEvents, make_${name}, ${name}_service

NOW = datetime(2025, ${random.int(1, 12)}, ${random.int(1, 28)}, ${random.int(0, 23)}, 30, tzinfo=timezone.utc)


@pytest.fixture
def events():
    return RecordingEvents()


@pytest.fixture
def service(database, events):
    return ${name}_service(database, events, FakeClock(NOW))

${actions
  .map(
    ([action, meaning]) => `
def test_${action}(service, events, database):
    item_id = make_${name}(database)
    changed = service.${action}(item_id, operator="小陈")
    assert changed.status is ${camel(name)}Status.RUNNING
    assert events.names() == ["${name}.${action}"], "${meaning}只发一个事件"


def test_${action}_unknown(service):
    with pytest.raises(NotFound):
        service.${action}(${random.int(90_000, 99_999)}, operator="小陈")


@pytest.mark.parametrize("status", [${camel(name)}Status.DONE, ${camel(name)}Status.FAILED])
def test_${action}_finished(service, database, status):
    item_id = make_${name}(database, status=status)
    with pytest.raises(Conflict):
        service.${action}(item_id, operator="小陈")
`,
  )
  .join("\n")}

def test_expire(service, database):
    old = make_${name}(database, status=${camel(name)}Status.RUNNING, created_at=NOW - timedelta(hours=${random.int(2, 9)}))
    fresh = make_${name}(database, status=${camel(name)}Status.RUNNING, created_at=NOW)
    assert service.expire(NOW) == 1
    assert service._require(old).status is ${camel(name)}Status.FAILED
    assert service._require(fresh).status is ${camel(name)}Status.RUNNING
`;
}
