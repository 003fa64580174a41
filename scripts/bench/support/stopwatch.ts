/** What a page must show for a clock to stop. */
export interface Condition {
  selector: string
  /** The text of the matching elements is another one than when the clock was armed. */
  changed?: boolean
  /** The text of the matching elements holds this. Without either, at least one element matches. */
  holds?: string
  /** The page makes the change while it draws a frame, as terminals do: that frame shows it, and not the one after. */
  inFrame?: boolean
}

/** The part that lives in the page, as `window.stopwatch`. */
export interface Stopwatch {
  /** @param event the clock starts with the next one of these, else with the navigation */
  arm(condition: Condition, event?: string): void
  /** Milliseconds until what was asked for had been painted. */
  shown: Promise<number>
}

/**
 * Runs in the page, where nothing of this module is known, before everything else. Neither the driver's round trips nor
 * its polling are in what it measures: it starts with the input event itself and stops in the frame that shows the change.
 * @param loaded what the page must show to count as loaded
 */
export function installStopwatch(loaded: Condition): void {
  const textOf = (selector: string) => [...document.querySelectorAll(selector)].map((one) => one.textContent).join('\n')
  const stopwatch: Stopwatch = {
    shown: Promise.resolve(0),
    arm({ selector, changed, holds, inFrame }, event) {
      const before = changed ? textOf(selector) : ''
      const isShown = () => {
        if (changed) return textOf(selector) !== before
        if (holds !== undefined) return textOf(selector).includes(holds)
        return document.querySelector(selector) !== null
      }
      stopwatch.shown = new Promise((resolve) => {
        let start = event ? undefined : 0
        if (event) addEventListener(event, ({ timeStamp }) => (start = timeStamp), { capture: true, once: true })
        const observer = new MutationObserver(look)
        function look() {
          if (start === undefined || !isShown()) return
          observer.disconnect()
          const { port1, port2 } = new MessageChannel()
          port1.onmessage = () => resolve(performance.now() - (start ?? 0))
          // A message sent in the frame is handled once the frame has been painted.
          if (inFrame) port2.postMessage(0)
          else requestAnimationFrame(() => port2.postMessage(0))
        }
        observer.observe(document, { subtree: true, childList: true, characterData: true, attributes: true })
      })
    },
  }
  stopwatch.arm(loaded)
  Object.assign(window, { stopwatch })
}
