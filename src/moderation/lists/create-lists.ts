import { randomBytes } from "node:crypto";
import type { NamedPerson, RuleList, RuleShare } from "../records/index.ts";
import type { ModerationRoom } from "../room.ts";
import { addCheckedRule } from "../rules/create-rules.ts";
import type { RuleDraft } from "../types.ts";
import { countEffects, releaseHeld } from "./end-list.ts";
import { readList, sharedContent } from "./fetch-list.ts";
import { refuseList } from "./parse-list.ts";
import {
  countEntries,
  draftMs,
  endList,
  listJob,
  nextCheck,
  readElsewhere,
  requireRoom,
  storeCopy,
} from "./refresh-lists.ts";

const maxLists = 10;
/** How long the address of a list may be. */
export const maxListAddressChars = 500;
/** How many held comments one press publishes at most: a call to YouTube takes 50 of them and costs 50 units. */
export const maxReleased = 200;

export type Lists = ReturnType<typeof createLists>;

interface ListSource {
  /** Either of them: an address, or the code of another server. */
  readonly url?: string | undefined;
  readonly code?: string | undefined;
  /** What the list is called here; the host's name or the other server's choice when absent. */
  readonly name?: string | undefined;
}

/** The lists that one server subscribes to, and what it shares itself. */
export function createLists(room: ModerationRoom, guildId: string) {
  const { database, jobs, records } = room;

  const on = async () => (await records.lists.all(guildId)).filter(isOn);

  /** @throws InputError `list_refused` for a list that is on already, and for one too many. */
  async function requirePlace(from: RuleList["from"]): Promise<void> {
    const lists = await on();
    if (lists.some((list) => isSame(list.from, from))) throw refuseList("known");
    if (lists.length >= maxLists) throw refuseList("full", { most: maxLists });
  }

  async function readSource({ url: typed, code, name }: ListSource) {
    if (code !== undefined) {
      const found = await records.shares.byCode(code.trim());
      if (found === undefined) throw refuseList("code");
      if (found.guildId === guildId) throw refuseList("own");
      return { from: { shareId: found.share.id }, name: name ?? found.share.name };
    }
    const address = typed?.trim() ?? "";
    if (address.length > maxListAddressChars)
      throw refuseList("address", { most: maxListAddressChars });
    if (!URL.canParse(address)) return { from: { url: address }, name: name ?? address };
    const url = new URL(address);
    // No site gets to see it, so it leads to the same list.
    url.hash = "";
    return { from: { url: url.href }, name: name ?? url.hostname.slice(0, 60) };
  }

  return {
    /** Lists that are on, the oldest first. */
    async all(): Promise<readonly RuleList[]> {
      return (await on()).sort((one, other) => one.addedAt - other.addedAt);
    },
    async find(id: string): Promise<RuleList | undefined> {
      const list = await records.lists.read(guildId, id);
      return list?.endedAt === undefined ? list : undefined;
    },
    /**
     * Fetches a list and keeps it for an hour, so that its rule can be tried and switched on. Of a list that is on and whose
     * newer copy is refused, that copy is proposed. @throws InputError `list_refused`, `public_address`; NetworkError
     */
    propose: (source: ListSource, by: string, signal: AbortSignal): Promise<RuleList> =>
      // If the server is erased during the download, nothing is stored.
      database.servers.runFor(guildId, async () => {
        const { from, name } = await readSource(source);
        const known = (await on()).find((list) => isSame(list.from, from));
        if (known?.refused !== undefined) return proposeNewer(known, by, signal);
        await requirePlace(from);
        const read =
          (await readElsewhere(room, { from })) ?? (await readList(room, { from }, signal));
        return storeDraft({ from, name }, read, by);
      }),
    /** Fetches the newer copy of a list, as `propose` does; undefined if the list is no longer on. */
    async proposeCopy(id: string, by: string, signal: AbortSignal): Promise<RuleList | undefined> {
      const list = await records.lists.read(guildId, id);
      return list !== undefined && isOn(list) ? proposeNewer(list, by, signal) : undefined;
    },
    /**
     * Switches a proposed list on; undefined if the proposal is gone. @throws InputError `too_many_rules`; `list_refused` if
     * someone else has subscribed to it in the meantime
     */
    async subscribe(
      id: string,
      { does, decision }: Pick<RuleDraft, "does" | "decision">,
      by: string,
    ): Promise<RuleList | undefined> {
      return database.transaction(async () => {
        const draft = await records.lists.read(guildId, id);
        if (draft?.isDraft !== true || draft.replaces !== undefined) return undefined;
        const { version, name } = draft;
        const test = { kind: "list", list: id, version } as const;
        // Adding the rule locks the server's rules, so two people can't both pass the check below.
        const rule = await addCheckedRule(room, guildId, { name, test, does, decision, by });
        await requirePlace(draft.from);
        const { isDraft: _, ...rest } = draft;
        const dueAt = nextCheck(draft.checkedAt, id);
        await jobs.put({ ...listJob({ guildId, listId: id }, dueAt), isPostponed: true });
        return records.lists.change(guildId, [id], () => ({ ...rest, ruleId: rule.id }));
      });
    },
    /** Uses a newer copy of a list from now on. Returns the list; undefined if the proposal is no longer there. */
    async accept(id: string): Promise<RuleList | undefined> {
      return database.transaction(async () => {
        const draft = await records.lists.read(guildId, id);
        const content = await records.lists.content(guildId, id);
        if (draft?.replaces === undefined || content === undefined) return undefined;
        const { version, counts, skipped, etag, lastModified, checkedAt, replaces } = draft;
        const copy = { content, version, counts, skipped, etag, lastModified, checkedAt };
        await records.lists.remove(guildId, id);
        await storeCopy(room, { guildId, listId: replaces }, copy);
        const list = await records.lists.read(guildId, replaces);
        return list?.endedAt === undefined ? list : undefined;
      });
    },
    discard: async (id: string): Promise<void> => {
      const draft = await records.lists.read(guildId, id);
      if (draft?.isDraft) await records.lists.remove(guildId, id);
    },
    /** Its rule is gone at once; what it left on comments that wait is taken back soon. Returns the list, if it was there. */
    unsubscribe: (id: string) => endList(room, { guildId, listId: id }),
    effects: (ruleId: string) => countEffects(room, guildId, ruleId),
    /** Publishes comments that the list's rule holds, at most `maxReleased`. Returns how many will be published. */
    release: (ruleId: string, by: NamedPerson) =>
      releaseHeld(room, guildId, { ruleId, by, limit: maxReleased }),
    /** What this server shares, and how many others use it. */
    async share(): Promise<{ readonly share: RuleShare; readonly users: number } | undefined> {
      const share = await records.shares.ofServer(guildId);
      if (share === undefined) return undefined;
      const users = await records.lists.ofSource({ shareId: share.id });
      return { share, users: users.filter(({ list }) => isOn(list)).length };
    },
    /** What would be shared at present. */
    async shareable() {
      const { words, authors } = sharedContent(await records.rules.read(guildId));
      return { words: words.length, authors: authors.length };
    },
    /** Shares the server's words and people with whoever has the code, which is only returned now. */
    async startSharing(name: string, by: string): Promise<string> {
      const code = randomBytes(16).toString("base64url");
      const share = {
        id: randomBytes(8).toString("hex"),
        name,
        addedBy: by,
        addedAt: database.now(),
      };
      await database.transaction(async () => {
        // Locks the rules: if two people share at the same time, only one share and one code remain.
        await records.rules.changeStored(guildId, (book) => book);
        await stopSharing();
        await records.shares.put(guildId, share, code);
      });
      return code;
    },
    stopSharing,
  };

  async function proposeNewer(list: RuleList, by: string, signal: AbortSignal): Promise<RuleList> {
    const { id: replaces, from, name } = list;
    const read = await readList(room, { from }, signal);
    return storeDraft({ from, name, replaces }, read, by);
  }

  async function storeDraft(
    about: Pick<RuleList, "from" | "name" | "replaces">,
    read: Awaited<ReturnType<typeof readList>>,
    by: string,
  ): Promise<RuleList> {
    // A server has at most one proposal.
    for (const { id, isDraft } of await records.lists.all(guildId)) {
      if (isDraft) await records.lists.remove(guildId, id);
    }
    if (read === "gone") throw refuseList("code");
    if (read === "same") throw refuseList("status", { status: 304 });
    if (countEntries(read.counts) === 0) throw refuseList("empty", { skipped: 0 });
    const id = randomBytes(8).toString("hex");
    await requireRoom(room, guildId, {
      ids: about.replaces === undefined ? [] : [about.replaces],
      read,
    });
    const { content, ...described } = read;
    const now = database.now();
    const list: RuleList = {
      id,
      ...about,
      ...described,
      checkedAt: read.checkedAt ?? now,
      changedAt: now,
      addedBy: by,
      addedAt: now,
      isDraft: true,
    };
    await database.transaction(async () => {
      await records.lists.change(guildId, [id], () => list);
      await records.lists.putContent(guildId, id, content);
      await jobs.put(listJob({ guildId, listId: id }, now + draftMs));
    });
    return list;
  }

  /** Every subscription ends at once, with its effects. Returns how many there were. */
  async function stopSharing(): Promise<number> {
    const share = await records.shares.ofServer(guildId);
    if (share === undefined) return 0;
    const users = await records.lists.ofSource({ shareId: share.id });
    await database.transaction(async () => {
      await records.shares.remove(guildId);
      for (const user of users) {
        await jobs.put(listJob({ guildId: user.guildId, listId: user.list.id }));
      }
    });
    return users.length;
  }
}

function isSame(one: RuleList["from"], other: RuleList["from"]): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function isOn({ isDraft, endedAt }: RuleList): boolean {
  return !isDraft && endedAt === undefined;
}
