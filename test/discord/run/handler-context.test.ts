import { describe, expect, it } from "vitest";
import {
  type Admission,
  type AdmissionHold,
  createAdmission,
} from "../../../src/discord/run/admission.ts";
import { largestAttachment } from "../../../src/discord/run/attachments.ts";
import { HandlerContext } from "../../../src/discord/run/handler-context.ts";
import type { RunningInteraction } from "../../../src/discord/run/interaction.ts";
import type { InteractionDeps } from "../../../src/discord/run/interaction-deps.ts";
import { createProgressReporter } from "../../../src/discord/run/progress.ts";
import { createRunningHandlers } from "../../../src/discord/run/running-handlers.ts";
import type { Services } from "../../../src/discord/run/services.ts";
import { words } from "../../support/words.ts";

const requester = {
  guildId: "1".repeat(18),
  userId: "2".repeat(18),
  userName: "robin",
  roleIds: [],
  permissions: 0n,
  serverRoles: "found",
  permissionsUnread: undefined,
  rolesUnread: undefined,
  permissionsHere: "0",
  appPermissions: "0",
  words: words(),
  serverWords: words(),
  rank: "member",
  learnRoles: async () => undefined,
  settings: {},
  attachmentLimit: 10_000_000,
} as const;

const never = () => {
  throw new Error("nothing is sent here");
};

interface Own {
  readonly admission?: Admission;
  readonly held?: AdmissionHold;
}

function ctx(services: Partial<Services>, { admission = createAdmission(), held }: Own = {}) {
  const interaction = {
    requester,
    running: createRunningHandlers().start("3".repeat(18), requester),
    held: held ?? admission.hold({ tenant: "1", person: "2" }),
  };
  return new HandlerContext({
    // Only what the case needs.
    interaction: interaction as unknown as RunningInteraction,
    deps: { services: { store: {}, ...services }, admission } as unknown as InteractionDeps,
    call: { options: {}, message: undefined },
    progress: createProgressReporter(never, never),
  });
}

describe("a handler's context", () => {
  it("fetches a file only when there is room for it", async () => {
    const admission = createAdmission();
    const others = Array.from({ length: 4 }, (_, n) =>
      admission.hold({ tenant: `${n}`, person: "" }),
    );
    for (const other of others) {
      await other.admit(64 * 1024 * 1024, { signal: AbortSignal.timeout(1000) });
    }
    const fetched: string[] = [];
    const download = async ({ url }: { readonly url: string }) => {
      fetched.push(url);
      return Buffer.alloc(1);
    };
    const services = { http: { download }, attachmentHosts: [] } as unknown as Partial<Services>;
    const held = admission.hold({ tenant: "mine", person: "" });
    const reading = ctx(services, { held }).fetchAttachment({
      id: "1",
      filename: "a.png",
      size: 10,
      url: "https://x",
    });
    await new Promise((resolve) => setImmediate(resolve));
    expect(fetched).toEqual([]);

    others[0]?.close();
    await reading;
    expect(fetched).toEqual(["https://x"]);
    expect(admission.load().bytes).toBe(3 * 64 * 1024 * 1024 + 4 * 1024 * 1024);
  });

  it("gives back what a piece of its work held, whether it worked or not", async () => {
    const admission = createAdmission();
    const services = {
      http: { download: async () => Buffer.alloc(1) },
      attachmentHosts: [],
    } as unknown as Partial<Services>;
    const file = { id: "1", filename: "a.png", size: 10, url: "https://x" };
    const nobody = () => undefined;

    await ctx(services, { admission }).apart(nobody, (own) => own.fetchAttachment(file));
    const failed = ctx(services, { admission }).apart(nobody, async (own) => {
      await own.fetchAttachment(file);
      throw new Error("no good");
    });

    await expect(failed).rejects.toThrow("no good");
    expect(admission.load()).toEqual({ bytes: 0, waiting: 0 });
  });

  it("refuses an attachment that declares too much, before anything is fetched", async () => {
    const attachment = {
      id: "1",
      filename: "a.png",
      size: largestAttachment + 1,
      url: "https://x",
    };

    await expect(ctx({}).fetchAttachment(attachment)).rejects.toMatchObject({
      code: "attachment_too_large",
      facts: { has: 32, most: 32 },
    });
  });
});
