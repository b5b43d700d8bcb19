import type { ModerationRecords } from "../records/index.ts";
import type { Audit } from "../types.ts";

/** The audit log of one guild. */
export function createAudit(
  { records: { audit } }: { readonly records: Pick<ModerationRecords, "audit"> },
  guildId: string,
): Audit {
  return {
    page: (filter, options) => audit.page(guildId, filter, options),
    count: (filter, atMost) => audit.count(guildId, filter, atMost),
    entry: async (id) => (isId(id) ? audit.read(guildId, id) : undefined),
    ofComment: (commentId) => audit.ofComment(guildId, commentId),
  };
}

function isId(id: string): boolean {
  return /^\d{13}-[0-9a-f]{8}$/.test(id);
}
