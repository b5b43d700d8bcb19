import { afterAll, afterEach, beforeAll, beforeEach, expect } from "vitest";
import { openPageStage, type PageStage } from "../../support/page-visit.ts";

/** Opens the page once for the tests of a group; each has an empty platform and must leave no fault on the page. */
export function usePageStage(): Omit<PageStage, "close"> {
  let stage: PageStage;

  beforeAll(async () => {
    stage = await openPageStage();
  });
  afterAll(() => stage.close());

  beforeEach(() => stage.platform.reset());
  afterEach(() => {
    expect(stage.visitor.faults).toEqual([]);
  });

  return {
    get platform() {
      return stage.platform;
    },
    get visitor() {
      return stage.visitor;
    },
    get page() {
      return stage.page;
    },
  };
}
