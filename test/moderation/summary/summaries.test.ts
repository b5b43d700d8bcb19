import { describe, expect, it } from "vitest";
import { sql } from "../../../src/database/index.ts";
import type { AuditEntry } from "../../../src/moderation/index.ts";
import { ann, guildId, hour, minute, openProcess, type Rig, start } from "../support/rig.ts";

const day = 24 * hour;
const bob = { userId: "300000000000000002", userName: "Bob" };
const rule = { ruleId: "r1", ruleName: "Links" };

let n = 0;
/** Records a decision that was made `ago` ms ago. */
async function decided(rig: Rig, ago: number, change: Partial<AuditEntry> = {}): Promise<void> {
  n += 1;
  const at = rig.clock.now() - ago;
  await rig.records.audit.add(guildId, {
    id: `${String(at).padStart(13, "0")}-${String(n).padStart(8, "0")}`,
    at,
    by: ann,
    act: "approved",
    from: "card",
    answer: "done",
    source: "UC",
    commentId: `c${n}`,
    ...change,
  });
}

describe("the weekly summary", () => {
  it("counts the decisions of seven days, and those of the week before", async () => {
    const { rig, server } = await openProcess();
    await decided(rig, minute);
    await decided(rig, day, { act: "rejected", by: bob });
    await decided(rig, 2 * day, { act: "banned", by: bob });
    await decided(rig, 6 * day, { act: "held", by: rule, from: "rule" });
    await decided(rig, 3 * day, { act: "replied" });
    await decided(rig, 3 * day, { act: "failed", answer: "quota_exceeded" });
    await decided(rig, 8 * day);
    await decided(rig, 15 * day);

    const week = await server.summaries.lastWeek();

    expect(week).toMatchObject({
      from: start - 7 * day,
      to: start,
      byRules: 1,
      before: 1,
      suggestions: [],
      decided: { approved: 1, rejected: 1, banned: 1, held: 1 },
      people: [
        { userId: bob.userId, count: 2 },
        { userId: ann.userId, count: 1 },
      ],
    });
    expect(week.isMore).toBeUndefined();
  });

  it("takes the median of how long comments waited for people", async () => {
    const { rig, server } = await openProcess();
    const waited = (ms: number, by: AuditEntry["by"] = ann) =>
      decided(rig, day, { seenAt: rig.clock.now() - day - ms, by });
    await waited(minute);
    await waited(2 * minute);
    await waited(day);
    await waited(0, rule);
    await decided(rig, day);

    expect((await server.summaries.lastWeek()).medianMs).toBe(2 * minute);
  });

  it("notes when a comment came into the queue, so that its wait is known", async () => {
    const { rig, server, watch } = await openProcess();
    rig.hold("Nice");
    const { id } = await watch();
    const [item] = await rig.items(id);
    await server.queue.decide({
      items: [{ watchId: id, itemId: item?.id ?? "" }],
      kind: "approve",
      by: ann,
      from: "card",
    });
    await rig.clock.pass(minute);

    const { entries } = await server.audit.page({}, { limit: 1 });

    expect(entries[0]).toMatchObject({ act: "approved", seenAt: item?.seenAt });
  });

  it("reads no more of a busy week than it has time for", async () => {
    const { rig, server } = await openProcess();
    await decided(rig, hour);
    await sql`
      with recursive copies (n) as (select 1 union all select n + 1 from copies where n < 20300)
      insert into audit_log (server_id, id, at, act, comment_id, actor_id, has_text, data)
      select server_id, id || n, at, act, comment_id, actor_id, has_text,
        json_set(data, '$.id', id || n)
      from audit_log, copies`.execute(rig.database.db);

    const week = await server.summaries.lastWeek();

    expect(week.isMore).toBe(true);
    expect(week.decided.approved).toBe(20_000);
  });

  it("is posted on its day at nine, every week, until it is turned off", async () => {
    const { rig, server } = await openProcess();
    const channelId = "444444444444444444";
    rig.settings = { summary: { channelId, weekday: 5 }, timeZone: "Europe/Berlin" };
    // Friday, 3 July, 9:00 in Berlin.
    const first = Date.UTC(2026, 6, 3, 7);
    await server.summaries.schedule(async () => rig.settings);

    await rig.clock.pass(2 * day);
    const once = [...rig.notifications];
    await rig.clock.pass(7 * day);
    const twice = rig.notifications.length;
    rig.settings = {};
    await rig.clock.pass(14 * day);

    expect(once).toMatchObject([
      { name: "week-summary", facts: { guildId, channelId, week: { to: first } } },
    ]);
    expect(twice).toBe(2);
    expect(rig.notifications).toHaveLength(2);
  });
});
