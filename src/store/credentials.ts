import type { Backend } from "./backend.ts";
import { answer, change } from "./failure.ts";
import { checkGuildId } from "./ids.ts";
import { type Context, type Keyring, open, seal } from "./seal.ts";
import type { Credential, CredentialKind, Credentials } from "./types.ts";

interface Parts {
  readonly backend: Backend;
  readonly keyring: Keyring;
  readonly onSecret: (secret: string) => void;
}

/** Credentials by guild and kind; the whole record is sealed, so that who entered it can't be forged either. */
export function createCredentials({ backend, keyring, onSecret }: Parts): Credentials {
  const records = backend.records.credential;
  return {
    read: (guildId, kind) =>
      answer(async () => {
        const sealed: unknown = await records.get(credentialKey(guildId, kind));
        if (sealed === undefined) return undefined;
        const credential = JSON.parse(open(keyring, bound(guildId, kind), String(sealed)));
        onSecret(credential.secret);
        return credential as Credential;
      }),
    write: (guildId, credential) =>
      change(async () => {
        const { kind, secret, addedBy, addedAt, channelId, channelTitle, scopes } = credential;
        onSecret(secret);
        const ofChannel = { channelId, channelTitle, scopes };
        // What a key does not have is left out of the text.
        const text = JSON.stringify({ kind, secret, addedBy, addedAt, ...ofChannel });
        await records.set(credentialKey(guildId, kind), seal(keyring, bound(guildId, kind), text));
      }),
    remove: async (guildId, kind) => {
      const removed = await change(() => records.delete(credentialKey(guildId, kind)));
      // Also when nothing was there: an earlier call may have stopped after the removal.
      await change(async () => backend.wipe(), "part");
      return removed;
    },
  };
}

export function credentialKey(guildId: string, kind: string): string {
  return `${checkGuildId(guildId)}:${kind}`;
}

function bound(guildId: string, kind: CredentialKind): Context {
  return { purpose: "credential", guildId, kind, field: "record" };
}
