import { createAccessTokens } from "./access-tokens.ts";
import type { Backend } from "./backend.ts";
import { createContinuations } from "./continuations.ts";
import { createCredentials } from "./credentials.ts";
import { createCredits } from "./credits.ts";
import { createGuilds } from "./guilds.ts";
import { createLeases } from "./leases.ts";
import { checkMasterKeys } from "./master-keys.ts";
import { openBackend, refuseUnusable } from "./open-backend.ts";
import { passwordsOf } from "./passwords.ts";
import { ping } from "./ping.ts";
import { createGuildRows } from "./records/create-guild-rows.ts";
import { forgetOld } from "./records/forget-old.ts";
import { createRevocations } from "./revocations.ts";
import { createKeyring, type Keyring } from "./seal.ts";
import { createSettings } from "./settings.ts";
import { createTickets } from "./tickets.ts";
import type { ModerationRows, OpenStoreOptions, Store } from "./types.ts";
import { createUnits } from "./units.ts";

/**
 * Opens the store, makes its file or table on first use, and checks that the master keys fit what is in it.
 * @throws ConfigError `store_url`, `store_file`, `store_server`, `store_volatile` or `store_keys`.
 */
export async function openStore(options: OpenStoreOptions): Promise<Store> {
  const { url, keys, onSecret, onWarning, now } = options;
  const keyring = createKeyring(keys);
  for (const password of passwordsOf(url)) onSecret?.(password);
  const backend = await openBackend(url, {
    ...(now && { now }),
    ...(onWarning && { onWarning }),
  });
  return refuseUnusable(url, () => {
    return createStore({ backend, keyring, ...(onSecret && { onSecret }), ...(now && { now }) });
  });
}

interface Parts {
  readonly backend: Backend;
  readonly keyring: Keyring;
  readonly onSecret?: (secret: string) => void;
  readonly now?: () => number;
}

/** The typed stores over an opened database; closes it when the master keys do not fit. */
export async function createStore({
  backend,
  keyring,
  onSecret = () => {},
  now = Date.now,
}: Parts): Promise<Store> {
  try {
    await checkMasterKeys(backend, keyring);
  } catch (error) {
    await backend.close();
    throw error;
  }
  const sealed = { backend, keyring, onSecret, now };
  const credentials = createCredentials(sealed);
  const revocations = createRevocations(sealed);
  const moderation: ModerationRows = {
    watches: createGuildRows(backend, "watch"),
    progress: createGuildRows(backend, "progress"),
    items: createGuildRows(backend, "item"),
    digests: createGuildRows(backend, "digest"),
    authors: createGuildRows(backend, "author"),
    audit: createGuildRows(backend, "audit"),
    rules: createGuildRows(backend, "rules"),
    replies: createGuildRows(backend, "reply"),
  };
  return {
    credentials,
    accessTokens: createAccessTokens(sealed),
    leases: createLeases(backend, now),
    tickets: createTickets(sealed),
    revocations,
    continuations: createContinuations({ backend, now }),
    units: createUnits(backend),
    credits: createCredits(backend),
    settings: createSettings(backend),
    moderation,
    feeds: {
      feeds: createGuildRows(backend, "feed"),
      progress: createGuildRows(backend, "feed-progress"),
      announcements: createGuildRows(backend, "announcement"),
    },
    guilds: createGuilds({ backend, credentials, revocations }),
    forgetOld: () => forgetOld({ backend, rows: moderation, now: now() }),
    ping: () => ping(backend),
    close: backend.close,
  };
}
