import type { APIMessage } from "discord-api-types/v10";
import { type CheckedFields, isObject } from "./check/check.ts";
import { cdnName, type NewFile, type StoredFile } from "./files.ts";
import type { FileByName } from "./message-parts.ts";
import { failField, rejection } from "./rejection.ts";
import type { PlatformState, StoredMessage } from "./state.ts";

/** What a request brings for a message. */
export interface MessageInput {
  readonly body: CheckedFields;
  /** By the n of `files[n]`. */
  readonly uploads: ReadonlyMap<string, NewFile>;
}

const maxAttachments = 10;

type AttachedFiles = StoredMessage["files"];

interface MessageFiles {
  readonly all: AttachedFiles;
  readonly byName: FileByName;
}

function addFile(state: PlatformState, upload: NewFile, stored: StoredMessage): string {
  if (upload.data.byteLength > state.attachmentLimit) throw rejection("tooLarge");
  const { channel_id: channelId } = stored.message;
  return state.files.add(upload, channelId, stored.audience !== undefined).id;
}

/**
 * The files a message has afterwards. An `attachments` array names all that stay, old ones by id and new ones by the n
 * of their `files[n]`; without it everything stays and every upload is added.
 */
export function messageFiles(
  state: PlatformState,
  stored: StoredMessage,
  { body, uploads }: MessageInput,
): MessageFiles {
  let all: AttachedFiles;
  if (Array.isArray(body.attachments)) {
    all = body.attachments.filter(isObject).map((entry, index) => {
      const id = String(entry.id);
      const description = typeof entry.description === "string" ? entry.description : undefined;
      const old = stored.files.find((file) => file.id === id);
      if (old !== undefined) return { id, description: description ?? old.description };
      const upload = uploads.get(id);
      if (upload !== undefined) {
        const name = typeof entry.filename === "string" ? entry.filename : upload.name;
        return { id: addFile(state, { ...upload, name }, stored), description };
      }
      return failField(
        ["attachments", String(index), "id"],
        "ATTACHMENT_NOT_FOUND",
        "Attachment data not found",
      );
    });
  } else {
    const added = [...uploads.values()].map((upload) => ({
      id: addFile(state, upload, stored),
      description: undefined,
    }));
    all = [...stored.files, ...added];
  }
  if (all.length > maxAttachments) {
    failField(
      ["attachments"],
      "BASE_TYPE_MAX_LENGTH",
      `Must be ${maxAttachments} or fewer in length.`,
    );
  }
  const found = all.map(({ id }) => state.files.byId(id)).filter((file) => file !== undefined);
  return {
    all,
    byName: (name) => found.find((file) => file.name === name || file.name === cdnName(name)),
  };
}

export function readAttachments(
  state: PlatformState,
  files: AttachedFiles,
  embeds: unknown,
): APIMessage["attachments"] {
  // A file shown inside an embed is not listed a second time.
  const marks = JSON.stringify(embeds).matchAll(/\\u0000file:url:(\d+)/g);
  const embedded = new Set([...marks].map(([, id]) => id));
  return files
    .filter(({ id }) => !embedded.has(id))
    .map(({ id, description }) => {
      const file = state.files.byId(id) as StoredFile;
      return state.files.attachment(file, description);
    });
}
