import { describe, expect, it, vi } from "vitest";
import { ServiceError } from "../../../src/errors.ts";
import { command as sentCommand } from "../../support/raw-interactions.ts";
import {
  onEachStage,
  openOne,
  openTwo,
  type Stage,
  whose,
} from "../../support/shared-processes.ts";

/** How long a claim may take. */
const claimMs = 1_200;

onEachStage((open) => {
  it("holds a press that must not happen twice as long as it could not be forgotten", async () => {
    const { askedButton, press, receive, runs, store } = await openOne(open());
    const id = await askedButton(0);
    store.continuations.remove = async () => {
      throw new ServiceError("away", { code: "store_unavailable" });
    };

    await receive(press(id));
    await receive(press(id));

    expect(runs).toEqual(["once playlist"]);
  });

  describe("a claim that comes too late", () => {
    it("leaves alone what another process has claimed", async () => {
      const { hold, one, other, place, runs } = await openTwo(open());
      const release = hold();
      const sent = sentCommand("playlists list", whose);
      const work = one.receive(sent);
      await expect.poll(() => runs).toEqual(["list"]);

      await receiveTooLate(other, sent);
      const rows = await place.query("select is_open, claimed_by from interactions");
      release();
      await work;

      expect(rows).toEqual([{ is_open: 1, claimed_by: one.processId }]);
    });

    it("leaves alone what another process has taken over", async () => {
      const { one, other, place } = await openTwo(open());
      const sent = sentCommand("playlists list", whose);

      await receiveTooLate(one, sent, async () => {
        await other.store.interactions.takeOver(one.processId, other.processId, 1);
      });

      const rows = await place.query("select is_open, claimed_by from interactions");
      expect(rows).toEqual([{ is_open: 1, claimed_by: other.processId }]);
    });

    it("frees no press that must not happen twice", async () => {
      const { hold, one, other, press, runs } = await openTwo(open());
      const id = await one.askedButton(0);
      const release = hold();
      const [first, second] = [press(id), press(id)];
      const work = one.receive(first);
      await expect.poll(() => runs).toEqual(["once playlist"]);

      await receiveTooLate(other, first);
      const again = other.receive(second);
      release();
      await Promise.all([work, again]);

      expect(runs).toEqual(["once playlist"]);
    });
  });
});

type Opened = Awaited<ReturnType<Stage["openProcess"]>>;

/** Receives an interaction that the process can't claim in time: its claim is answered only after `meanwhile`. */
async function receiveTooLate(
  { receive, store: { interactions } }: Opened,
  sent: unknown,
  meanwhile: () => Promise<void> = async () => undefined,
): Promise<void> {
  const { claim, close } = interactions;
  const late = Promise.withResolvers<void>();
  const closed: Promise<void>[] = [];
  let claiming: Promise<boolean> | undefined;
  interactions.claim = (claimed) => {
    claiming = claim(claimed).finally(() => late.promise);
    return claiming;
  };
  interactions.close = (owner) => {
    const closing = late.promise.then(() => close(owner));
    closed.push(closing);
    return closing;
  };
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const work = receive(sent);
  vi.advanceTimersByTime(claimMs);
  vi.useRealTimers();

  await vi.waitUntil(() => closed.length > 0);
  await meanwhile();
  late.resolve();
  await work;
  await claiming;
  await Promise.all(closed);
  Object.assign(interactions, { claim, close });
}
