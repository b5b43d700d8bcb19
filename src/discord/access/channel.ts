import { ConnectError, InputError } from "../../errors.ts";
import type { Credential, CredentialFacts, Credentials } from "../../store/index.ts";
import { storedIn } from "./store-unavailable.ts";

/** Which of the linked channels acts; the server's default without one. */
export interface Acting {
  /** Its id, or what people call it. */
  readonly as: string;
  /** Somebody asked for it just now; else it is what a press goes on with. */
  readonly isChosen: boolean;
  /** Told its name where it is not the default one. */
  readonly onOther?: (name: string) => void;
}

/** What the option for it says, by its id or its name. */
export function chosenChannel(as: unknown): Acting | undefined {
  return typeof as === "string" && as !== "" ? { as, isChosen: true } : undefined;
}

/** What a press goes on with. */
export function carried(as: string | undefined): Acting | undefined {
  return as === undefined ? undefined : { as, isChosen: false };
}

export function withoutSecret({ secret: _, ...facts }: Credential): CredentialFacts {
  return facts;
}

/** What people know a linked channel by. */
export function nameOf({ name, channelTitle, channelId }: CredentialFacts): string {
  return name ?? channelTitle ?? channelId ?? "";
}

/**
 * The linked channel that acts; undefined where none is linked, or where a press was about one that no longer is.
 * @throws InputError `acting_channel_unknown`; ServiceError `store_unavailable`
 */
export async function openChannel(
  guildId: string,
  acting: Acting | undefined,
  credentials: Credentials,
): Promise<Credential | undefined> {
  if (acting === undefined) return storedIn(await credentials.read(guildId, "channel"));
  const all = await linkedChannels(guildId, credentials);
  const found = channelCalled(acting.as, all);
  if (found !== undefined && found !== all[0]) acting.onOther?.(nameOf(found));
  if (found === undefined && acting.isChosen && all.length > 0)
    throw unknownChannel(acting.as, all);
  return found;
}

/** The default first. @throws ServiceError `store_unavailable` */
export async function linkedChannels(
  guildId: string,
  credentials: Pick<Credentials, "channels">,
): Promise<readonly Credential[]> {
  return storedIn(await credentials.channels(guildId)) ?? [];
}

/** By its id, else by the only name that is so. */
function channelCalled(as: string, all: readonly Credential[]): Credential | undefined {
  const byId = all.find(({ channelId }) => channelId === as);
  if (byId !== undefined) return byId;
  const called = all.filter((one) =>
    [one.name, one.channelTitle].some((name) => name !== undefined && folded(name) === folded(as)),
  );
  return called.length === 1 ? called[0] : undefined;
}

function folded(name: string): string {
  return name.normalize("NFKC").trim().toLowerCase();
}

function unknownChannel(as: string, all: readonly Credential[]): InputError {
  const linked = all.map(nameOf).join(", ");
  return new InputError("no linked channel is called so", {
    code: "acting_channel_unknown",
    facts: { name: as, linked },
  });
}

/** For what a press was to go on with. */
export function channelGone(): ConnectError {
  return new ConnectError("the channel of this press is not linked any more", {
    code: "acting_channel_gone",
  });
}
