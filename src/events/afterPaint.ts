/** Calls back once the next frame has been painted; while the page is hidden, when it is seen again. */
export function afterPaint(callback: () => void): void {
  // The frame calls back before it is painted, and a timer that begins there runs after that.
  requestAnimationFrame(() => setTimeout(callback))
}
