import type { APIMessage } from "discord-api-types/v10";
import { type Fields, isFields } from "./check/check.ts";
import { cdnName, type StoredFile, type Upload } from "./files.ts";
import type { FileByName } from "./message-parts.ts";
import { refuse, rejections } from "./rejection.ts";
import type { StoredMessage, World } from "./world.ts";

/** What a request brings for a message. */
export interface MessageInput {
  readonly body: Fields;
  /** By the n of `files[n]`. */
  readonly uploads: ReadonlyMap<string, Upload>;
}

const maxAttachments = 10;

type Attached = StoredMessage["files"];

interface Files {
  readonly all: Attached;
  readonly byName: FileByName;
}

function addFile(world: World, upload: Upload, stored: StoredMessage): string {
  if (upload.data.byteLength > world.attachmentLimit) throw rejections.tooLarge();
  const { channel_id: channelId } = stored.message;
  return world.files.add(upload, channelId, stored.audience !== undefined).id;
}

/**
 * The files a message has afterwards. An `attachments` array names all that stay, old ones by id and new ones by the n
 * of their `files[n]`; without it everything stays and every upload is added.
 */
export function filesOf(
  world: World,
  stored: StoredMessage,
  { body, uploads }: MessageInput,
): Files {
  let all: Attached;
  if (Array.isArray(body.attachments)) {
    all = body.attachments.filter(isFields).map((entry, index) => {
      const id = String(entry.id);
      const description = typeof entry.description === "string" ? entry.description : undefined;
      const old = stored.files.find((file) => file.id === id);
      if (old !== undefined) return { id, description: description ?? old.description };
      const upload = uploads.get(id);
      if (upload !== undefined) {
        const name = typeof entry.filename === "string" ? entry.filename : upload.name;
        return { id: addFile(world, { ...upload, name }, stored), description };
      }
      return refuse(
        ["attachments", String(index), "id"],
        "ATTACHMENT_NOT_FOUND",
        "Attachment data not found",
      );
    });
  } else {
    const added = [...uploads.values()].map((upload) => ({
      id: addFile(world, upload, stored),
      description: undefined,
    }));
    all = [...stored.files, ...added];
  }
  if (all.length > maxAttachments) {
    refuse(
      ["attachments"],
      "BASE_TYPE_MAX_LENGTH",
      `Must be ${maxAttachments} or fewer in length.`,
    );
  }
  const found = all.map(({ id }) => world.files.byId(id)).filter((file) => file !== undefined);
  return {
    all,
    byName: (name) => found.find((file) => file.name === name || file.name === cdnName(name)),
  };
}

function embeddedIds(embeds: unknown): Set<string> {
  return new Set(
    [...JSON.stringify(embeds).matchAll(/\\u0000file:url:(\d+)/g)].map((m) => m[1] ?? ""),
  );
}

export function attachmentsOf(
  world: World,
  files: Attached,
  embeds: unknown,
): APIMessage["attachments"] {
  // A file shown inside an embed is not listed a second time.
  const embedded = embeddedIds(embeds);
  return files
    .filter(({ id }) => !embedded.has(id))
    .map(({ id, description }) => {
      const file = world.files.byId(id) as StoredFile;
      return world.files.attachment(file, description);
    });
}
