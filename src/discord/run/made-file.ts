import { randomUUID } from "node:crypto";
import { open, unlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { InputError } from "../../errors.ts";
import type { FileToMake, MadeFile } from "../declare/interaction-context.ts";
import type { FileOnDisk } from "../draw/reply.ts";

const mebibyte = 1024 * 1024;

/** What one file that is being made needs in memory: a page of long entries as it came, and as it is written. */
export const makingWeight = 8 * mebibyte;

/** Where a message may carry more, the disk still holds a file of each person who may make one at once. */
const largestMade = 32 * mebibyte;

interface MakeFileOptions {
  /** The largest file that the answer may carry. */
  readonly attachmentLimit: number;
  readonly signal: AbortSignal;
  /** Called with what ends the file. */
  readonly onClose: (end: () => void) => void;
}

/**
 * Writes a file entry by entry, and reads no entry before the one before it is written. The entry that would make it
 * larger than an answer may carry, and all after it, are left out.
 * @throws InputError `answer_file_too_large` where not even the first one fits; the signal's reason
 */
export async function makeFile(
  { name, alt, entries, isPacked }: FileToMake,
  { attachmentLimit, signal, onClose }: MakeFileOptions,
): Promise<MadeFile> {
  signal.throwIfAborted();
  const maxBytes = Math.min(attachmentLimit, largestMade);
  const disk = await createDiskFile();
  onClose(() => void disk.close());
  const writer = isPacked === true ? packedWriter(disk, maxBytes) : plainWriter(disk, maxBytes);
  try {
    const written = await writeEntries(entries, writer, signal);
    await writer.end();
    if (disk.bytes === 0 && written.isCut) throw answerFileTooLarge(maxBytes);
    const file = { name, onDisk: disk, ...(alt !== undefined && { alt }) };
    return { file, maxBytes, ...written };
  } catch (error) {
    writer.stop();
    throw error;
  }
}

export function answerFileTooLarge(maxBytes: number, cause?: unknown): InputError {
  return new InputError(`the answer's file is over ${maxBytes} bytes`, {
    code: "answer_file_too_large",
    facts: { maxBytes },
    cause,
  });
}

async function writeEntries(entries: FileToMake["entries"], writer: Writer, signal: AbortSignal) {
  let count = 0;
  let end = "";
  let isCut = false;
  for await (const entry of entries) {
    signal.throwIfAborted();
    isCut = !(await writer.fits(Buffer.byteLength(entry.text) + Buffer.byteLength(entry.end)));
    if (isCut) break;
    await writer.write(entry.text);
    end = entry.end;
    if (entry.isHead !== true) count += 1;
  }
  await writer.write(end);
  return { count, isCut };
}

interface Writer {
  /** Whether that many more bytes stay within the limit. */
  fits(bytes: number): Promise<boolean>;
  write(text: string): Promise<void>;
  end(): Promise<void>;
  stop(): void;
}

/** Small entries are written together. */
const blockBytes = 64 * 1024;

function plainWriter(disk: DiskFile, maxBytes: number): Writer {
  let waiting: Buffer[] = [];
  let waitingBytes = 0;
  const flush = async () => {
    const block = Buffer.concat(waiting);
    waiting = [];
    waitingBytes = 0;
    await disk.append(block);
  };
  return {
    fits: async (bytes) => disk.bytes + waitingBytes + bytes <= maxBytes,
    async write(text) {
      const part = Buffer.from(text);
      waiting.push(part);
      waitingBytes += part.length;
      if (waitingBytes >= blockBytes) await flush();
    },
    end: flush,
    stop: () => {},
  };
}

/** What zlib may add to bytes that it can't make smaller, and what is on its way from it to the disk. */
const packingBytes = 64 * 1024;

function packedWriter(disk: DiskFile, maxBytes: number): Writer {
  const gzip = createGzip();
  const done = pipeline(gzip, async (parts: AsyncIterable<Buffer>) => {
    for await (const part of parts) await disk.append(part);
  });
  // Whoever writes next or ends it gets the error.
  done.catch(() => undefined);
  let inside = 0;
  const isWithin = (bytes: number) =>
    disk.bytes + gzip.readableLength + inside + bytes + packingBytes <= maxBytes;
  return {
    async fits(bytes) {
      if (isWithin(bytes)) return true;
      // How small the bytes inside have become is only known once they are out.
      await new Promise<void>((resolve) => gzip.flush(resolve));
      inside = 0;
      return isWithin(bytes);
    },
    async write(text) {
      const part = Buffer.from(text);
      inside += part.length;
      await new Promise<void>((resolve, reject) => {
        gzip.write(part, (error) => (error ? reject(error) : resolve()));
      });
    },
    async end() {
      gzip.end();
      await done;
    },
    stop: () => void gzip.destroy(),
  };
}

interface DiskFile extends FileOnDisk {
  append(part: Buffer): Promise<void>;
  close(): Promise<void>;
}

/** A file without a name: the system removes it when it is closed, and when the process ends in whatever way. */
async function createDiskFile(): Promise<DiskFile> {
  const path = join(tmpdir(), `greenroom-file-${randomUUID()}`);
  const handle = await open(path, "wx+", 0o600);
  await unlink(path);
  let bytes = 0;
  return {
    get bytes() {
      return bytes;
    },
    async append(part) {
      const at = bytes;
      bytes += part.length;
      for (let done = 0; done < part.length; ) {
        const { bytesWritten } = await handle.write(part, done, part.length - done, at + done);
        done += bytesWritten;
      }
    },
    async *read() {
      for (let at = 0; at < bytes; ) {
        const block = Buffer.alloc(blockBytes);
        const { buffer, bytesRead } = await handle.read(block, 0, blockBytes, at);
        if (bytesRead === 0) throw new Error("a file on disk ends early");
        at += bytesRead;
        yield buffer.subarray(0, bytesRead);
      }
    },
    close: () => handle.close().catch(() => undefined),
  };
}
