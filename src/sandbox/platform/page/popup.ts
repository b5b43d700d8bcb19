const gapPx = 4;
const edgePx = 8;

/**
 * Shows a `popover` in the browser's top layer, at its anchor: below it where there is room, else above. `width` makes
 * it as wide as the anchor.
 */
export function showPopup(popup: HTMLElement, anchor: Element, fit: "width" | "own"): void {
  if (!popup.matches(":popover-open")) popup.showPopover();
  const box = anchor.getBoundingClientRect();
  if (fit === "width") popup.style.width = `${box.width}px`;
  const { offsetHeight: height, offsetWidth: width } = popup;
  const below = box.bottom + gapPx;
  const fitsBelow = below + height + edgePx <= innerHeight;
  const top = fitsBelow ? below : Math.max(edgePx, box.top - gapPx - height);
  movePopup(popup, Math.min(box.left, innerWidth - width - edgePx), top);
}

/** Shows a `popover` with its corner at a point, pushed back into the window where it would leave it. */
export function showPopupAt(popup: HTMLElement, x: number, y: number): void {
  if (!popup.matches(":popover-open")) popup.showPopover();
  const left = Math.min(x, innerWidth - popup.offsetWidth - edgePx);
  const top = Math.min(y, innerHeight - popup.offsetHeight - edgePx);
  movePopup(popup, left, top);
}

function movePopup(popup: HTMLElement, left: number, top: number): void {
  popup.style.left = `${Math.max(edgePx, left)}px`;
  popup.style.top = `${Math.max(edgePx, top)}px`;
}
