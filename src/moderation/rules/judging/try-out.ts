import { setImmediate } from "node:timers/promises";
import type { QueuedComment, RuleBook, RuleTest } from "../../../store/index.ts";
import type { DryRun, RuleDraft } from "../../types.ts";
import { readBook } from "../book.ts";
import { matcherOf } from "../matchers/matcher.ts";
import type { RuleParts } from "../parts.ts";
import { createSubject } from "../text/subject.ts";
import { createMembers } from "./members.ts";
import { createOwnLinks } from "./own-links.ts";
import { recentComments } from "./recent.ts";
import { createSaidTexts } from "./said-texts.ts";

export { matcherOf };

type Hit = DryRun["hits"][number];

interface Trying {
  readonly guildId: string;
  readonly source: string;
  readonly signal: AbortSignal;
}

/** Comments between two looks at what else the process has to do. */
const atOnce = 10;

/** What of a text a test finds, as far as one text shows it. @throws InputError as `matcherOf` */
export function foundIn(test: RuleTest, text: string): string | undefined {
  return matcherOf(test)({ comment: { text }, subject: createSubject(text) });
}

/** @throws InputError as `matcherOf`; what the video client throws */
export async function tryOut(parts: RuleParts, draft: RuleDraft, at: Trying): Promise<DryRun> {
  // What is wrong with the rule is said before a unit is spent.
  matcherOf(draft.test);
  const { guildId, source, signal } = at;
  const book = await readBook(parts, guildId);
  const comments = await recentComments(await parts.video(guildId, source), source, signal);
  const hits = await hitsAmong(parts, { draft, comments }, at);
  const spared = hits.map((hit) => withSpared(hit, book, source));
  const { hits: told, isMembersUnread } = book.spared.members
    ? await withMembers(parts, spared, at)
    : { hits: spared, isMembersUnread: false };
  const triedPublished = comments.filter(({ state }) => state === "published").length;
  return { tried: comments.length, triedPublished, hits: told, isMembersUnread };
}

async function hitsAmong(
  parts: RuleParts,
  { draft, comments }: { readonly draft: RuleDraft; readonly comments: readonly QueuedComment[] },
  { guildId, source, signal }: Trying,
): Promise<readonly Hit[]> {
  const matches = matcherOf(draft.test);
  const asking = { client: () => parts.video(guildId, source), source, signal };
  const texts = comments.map(({ text }) => text);
  const ownLinks =
    draft.test.kind === "links" ? await createOwnLinks().among(texts, asking) : undefined;
  const said = createSaidTexts();
  const subjects = comments.map((comment) => {
    const subject = createSubject(comment.text);
    if (draft.test.kind === "repeated") said.add(comment, subject);
    return { comment, subject };
  });
  const hits: Hit[] = [];
  for (const [at, { comment, subject }] of subjects.entries()) {
    const timesSaid = (withinMs: number) => said.times(comment, subject, withinMs);
    const found = matches({ comment, subject, timesSaid, ownLinks });
    if (found !== undefined) hits.push({ comment, found });
    if (at % atOnce === atOnce - 1) await setImmediate();
  }
  return hits;
}

function withSpared(hit: Hit, { spared }: RuleBook, source: string): Hit {
  const { authorId } = hit.comment;
  if (authorId === source) return { ...hit, spared: "channel" };
  const isSpared = spared.authors.some(({ id }) => id === authorId);
  return isSpared ? { ...hit, spared: "author" } : hit;
}

async function withMembers(
  { video, clock, log }: RuleParts,
  hits: readonly Hit[],
  { guildId, source, signal }: Trying,
): Promise<Pick<DryRun, "hits" | "isMembersUnread">> {
  const authors = hits.flatMap(({ comment, spared }) =>
    spared === undefined && comment.authorId !== undefined ? [comment.authorId] : [],
  );
  const client = () => video(guildId, source);
  const asking = { guildId, source, client, signal };
  const paying = await createMembers(clock.now).among(authors, asking);
  if (paying.state !== "read") {
    log.info("members can't be told from others", { guildId, error: paying.error });
    return { hits, isMembersUnread: true };
  }
  const isPaying = ({ comment, spared }: Hit) =>
    spared === undefined && paying.ids.has(comment.authorId ?? "");
  return {
    hits: hits.map((hit) => (isPaying(hit) ? { ...hit, spared: "member" } : hit)),
    isMembersUnread: false,
  };
}
