import { accessTokenContext } from "./access-tokens.ts";
import { type Backend, entries, type RecordAt } from "./backend.ts";
import { credentialContext } from "./credentials.ts";
import { revocationContext } from "./revocations.ts";
import { type Context, sealedBy } from "./seal.ts";
import { type KeptTicket, ticketContext } from "./tickets.ts";

/** How rows of one kind hold their sealed text. */
interface Shape {
  /** Undefined when the row does not have the kind's shape. */
  textOf(value: unknown): string | undefined;
  contextOf(key: string, value: unknown): Context;
  withText(value: unknown, text: string): unknown;
}

const bare = {
  textOf: (value: unknown) => (typeof value === "string" ? value : undefined),
  withText: (_: unknown, text: string) => text,
};

/** Every kind of row that a master key seals; a key's own canary is none of them. */
const shapes = {
  credential: {
    ...bare,
    contextOf: (key) => credentialContext(...parted(key)),
  },
  token: { ...bare, contextOf: (key) => accessTokenContext(...parted(key)) },
  ticket: {
    textOf: (value) => bare.textOf((value as Partial<KeptTicket> | null)?.sealed),
    contextOf: (key, value) => ticketContext((value as KeptTicket).guildId, key),
    withText: (value, sealed) => ({ ...(value as KeptTicket), sealed }),
  },
  revocation: { ...bare, contextOf: (key) => revocationContext(key) },
} as const satisfies Record<string, Shape>;

/** Names of their namespaces. */
export type SealedKind = keyof typeof shapes;

export const sealedKinds = Object.keys(shapes) as readonly SealedKind[];

export interface SealedRow {
  readonly at: RecordAt & { readonly namespace: SealedKind };
  readonly value: unknown;
  readonly text: string;
  /** Id of the master key that wraps its data key. */
  readonly keyId: string;
}

/** Every row that is sealed; damaged ones, which name no key, are left out. */
export async function* sealedRows(records: Backend["records"]): AsyncGenerator<SealedRow> {
  for (const namespace of sealedKinds) {
    for await (const [key, value] of entries(records[namespace])) {
      const row = sealedRow({ namespace, key }, value);
      if (row !== undefined) yield row;
    }
  }
}

export function sealedRow(at: SealedRow["at"], value: unknown): SealedRow | undefined {
  const text = shapes[at.namespace].textOf(value);
  const keyId = text === undefined ? undefined : sealedBy(text);
  return text === undefined || keyId === undefined ? undefined : { at, value, text, keyId };
}

export function contextOfRow({ at, value }: SealedRow): Context {
  return shapes[at.namespace].contextOf(at.key, value);
}

/** The row's value with another sealed text in it. */
export function withText({ at, value }: SealedRow, text: string): unknown {
  return shapes[at.namespace].withText(value, text);
}

function parted(key: string): [string, string] {
  const colon = key.indexOf(":");
  return [key.slice(0, colon), key.slice(colon + 1)];
}
