import type { BrowserContext, Page } from '@playwright/test'

/** What a page must show for a clock to stop. */
export interface Condition {
  selector: string
  /** Exactly so many elements match. Left out: at least one does. */
  count?: number
  /** The text of the matching elements is another one than when the clock was armed. */
  changed?: boolean
  /** The text of the matching elements, which holds this. */
  holds?: string
  /** The page makes the change while it draws a frame, as terminals do: that frame shows it, and not the one after. */
  inFrame?: boolean
}

/** What a clock may start with. */
export type StartEvent = 'keydown' | 'click' | 'change'

/** The part that lives in the page. */
interface Stopwatch {
  /** @param event the clock starts with the next one of these, else with the navigation */
  arm(condition: Condition, event?: string): void
  /** Milliseconds until what was asked for had been painted. */
  shown: Promise<number>
  /** When the largest JSON text so far had become objects, ms since the navigation. */
  parsedAt: number
}

type TimedWindow = Window & { stopwatch: Stopwatch }

/**
 * Gives every page of the context a stopwatch of its own, so that neither the driver's round trips nor its polling are
 * in the metrics: it starts with the input event itself and stops in the frame after the one that showed the change.
 * @param loaded what a page must show to count as loaded
 */
export async function installStopwatch(context: BrowserContext, loaded: Condition): Promise<void> {
  await context.addInitScript(install, loaded)
}

/** The same as source text, for a page that runs it first thing. */
export const stopwatchScript = (loaded: Condition): string => `(${install})(${JSON.stringify(loaded)})`

/** Milliseconds from the navigation until the page showed what counts as loaded. */
export const timeToLoad = (page: Page): Promise<number> =>
  page.evaluate(() => (window as unknown as TimedWindow).stopwatch.shown)

/** When the page had the records of its list in hand, milliseconds since the navigation. */
export const timeToParse = (page: Page): Promise<number> =>
  page.evaluate(() => (window as unknown as TimedWindow).stopwatch.parsedAt)

/** Milliseconds from an input event to the paint of what it leads to. @param act what makes the event */
export async function timeToShow(
  page: Page,
  event: StartEvent,
  condition: Condition,
  act: () => Promise<void>,
): Promise<number> {
  await page.evaluate(([name, kind]) => (window as unknown as TimedWindow).stopwatch.arm(name, kind), [
    condition,
    event,
  ] as const)
  await act()
  return timeToLoad(page)
}

/** Runs in the page, where nothing of this module is known. */
function install(loaded: Condition): void {
  const textOf = (selector: string) => {
    const texts: (string | null)[] = []
    for (const element of document.querySelectorAll(selector)) texts.push(element.textContent)
    return texts.join('\n')
  }
  const stopwatch: Stopwatch = {
    shown: Promise.resolve(0),
    parsedAt: 0,
    arm({ selector, count, changed, holds, inFrame }, event) {
      const before = changed ? textOf(selector) : ''
      const isShown = () => {
        if (changed) return textOf(selector) !== before
        if (holds !== undefined) return textOf(selector).includes(holds)
        if (count !== undefined) return document.querySelectorAll(selector).length === count
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
  let largest = 0
  const parse = JSON.parse
  JSON.parse = (text, reviver) => {
    const value = parse(text, reviver)
    if (text.length > largest) stopwatch.parsedAt = performance.now()
    largest = Math.max(largest, text.length)
    return value
  }
  stopwatch.arm(loaded)
  Object.assign(window, { stopwatch })
}
