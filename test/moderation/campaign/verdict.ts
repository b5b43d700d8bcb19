import type { AuditEntry, HeldComment, Watch } from "../../../src/moderation/index.ts";
import { itemsIn } from "../support/rig.ts";
import type { LeftMessage, Services } from "./services.ts";

/** Comments that the campaign wrote, by their ids, with the word that identifies each. */
export type Written = ReadonlyMap<string, string>;

/** A decision that was acknowledged. */
export interface Claim {
  readonly kind: "approve" | "reject";
  readonly userId: string;
}

const wordOf = (n: number) => `kestrel${String(n).padStart(5, "0")}`;

/** Writes one more held comment. */
export function write({ video }: Services, written: Map<string, string>): void {
  const word = wordOf(written.size);
  const text = `${word} says something that waits`;
  const { id } = video.addComment({
    text,
    status: "heldForReview",
    author: `Visitor ${written.size % 40}`,
  });
  written.set(id, word);
}

/** Whether everything is settled, according to the database. */
export async function isCalm(
  { database }: Services,
  watch: Watch,
  written: Written,
): Promise<boolean> {
  const items = await itemsIn(database, watch.id);
  const known = new Set(items.map(({ comment }) => comment.id));
  const isOver = ({ status, card, digestId }: HeldComment) =>
    status !== "pending" &&
    status !== "sending" &&
    (status !== "open" || digestId !== undefined || card.state === "posted");
  const digests = await database.db.selectFrom("digests").select("card_state").execute();
  const isLeft = digests.every(({ card_state: state }) => state === "posted" || state === "lost");
  return isLeft && [...written.keys()].every((id) => known.has(id)) && items.every(isOver);
}

/** Which comments were never shown, and which are in more than one message. */
export function shown(
  written: ReadonlyMap<string, string>,
  messages: ReadonlyMap<string, LeftMessage>,
) {
  const times = new Map<string, number>();
  for (const { text } of messages.values()) {
    for (const word of new Set(text.match(/kestrel\d{5}/gu))) {
      times.set(word, (times.get(word) ?? 0) + 1);
    }
  }
  const words = [...written.values()];
  return {
    lost: words.filter((word) => !times.has(word)),
    twice: words.filter((word) => (times.get(word) ?? 0) > 1),
  };
}

/**
 * Checks that acknowledged decisions agree with the stored comment, with YouTube, and with exactly one entry in the
 * audit log.
 */
export async function disagreements(
  place: Services,
  watch: Watch,
  { written, claims }: { written: Written; claims: ReadonlyMap<string, Claim> },
): Promise<readonly string[]> {
  const { database } = place;
  const entries = await entriesIn(place);
  const standing = await standings(place, [...written.keys()]);
  // The stand-in has sample comments of its own.
  const items = (await itemsIn(database, watch.id)).filter(({ comment }) =>
    written.has(comment.id),
  );
  const wrong: string[] = [];
  if (items.length !== written.size) wrong.push(`${items.length} items of ${written.size}`);
  for (const { id, status, comment, decision } of items) {
    const claim = claims.get(id);
    const ends = entries.filter(
      ({ commentId, act }) =>
        commentId === comment.id && (act === "approved" || act === "rejected"),
    );
    const expected = status in expectations ? expectations[status] : "nothing of the kind";
    const served = standing.get(comment.id);
    const story = `${written.get(comment.id)}: ${status}, ${served}, ${ends.map(({ act }) => act)}`;
    if (served !== expected) wrong.push(`YouTube: ${story}`);
    const times = status === "approved" || status === "rejected" ? 1 : 0;
    if (ends.length !== times || ends.some(({ act }) => act !== status)) {
      wrong.push(`the record: ${story}`);
    }
    if (claim === undefined) continue;
    const wanted = claim.kind === "approve" ? "approved" : "rejected";
    const by = decision !== undefined && "userId" in decision.by ? decision.by.userId : undefined;
    if (status !== wanted || by !== claim.userId) wrong.push(`the claim ${claim.kind}: ${story}`);
  }
  return wrong;
}

async function entriesIn({ database }: Services): Promise<readonly AuditEntry[]> {
  const rows = await database.db.selectFrom("audit_log").select("data").execute();
  return rows.map(({ data }) => JSON.parse(data) as AuditEntry);
}

/** What YouTube returns for a comment; nothing for a rejected one. */
const expectations: Readonly<Partial<Record<HeldComment["status"], string | undefined>>> = {
  open: "heldForReview",
  approved: "published",
  rejected: undefined,
};

async function standings(
  { video, client }: Services,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  video.faults.clear();
  video.quota.refill();
  const found = new Map<string, string>();
  for (let from = 0; from < ids.length; from += 50) {
    const id = ids.slice(from, from + 50);
    const { items } = await client.call("comments.list", { part: ["snippet"], id });
    for (const one of items) {
      if (one.id && one.snippet?.moderationStatus) found.set(one.id, one.snippet.moderationStatus);
    }
  }
  return found;
}
