import { type BrowserContext, expect, type Page } from '@playwright/test'

declare global {
  interface Window {
    /** Texts of the toasts that have come since the page was loaded, without those that a test has asked for. */
    toasts: string[]
  }
}

/**
 * Keeps the text of every toast in the pages of this browser: a toast leaves by itself after four seconds, and a busy
 * machine may look at the page less often.
 */
export const keepTextsOfToasts = (context: BrowserContext): Promise<unknown> =>
  context.addInitScript(() => {
    window.toasts = []
    const keep = (nodes: Iterable<Node>) => {
      for (const node of nodes) {
        const text = node instanceof Element && node.querySelector(':scope > div > span')?.textContent
        if (text) window.toasts.push(text.replace(/\s+/g, ' ').trim())
      }
    }
    /** Of what stands in the body: the messages of the console, at its lower edge. */
    const follow = (nodes: Iterable<Node>) => {
      for (const node of nodes) {
        const list = node instanceof Element && node.querySelector(':scope > section[aria-live]')
        if (!list) continue
        keep(list.childNodes)
        new MutationObserver((changes) => {
          for (const { addedNodes } of changes) keep(addedNodes)
        }).observe(list, { childList: true })
      }
    }
    addEventListener('DOMContentLoaded', () => {
      follow(document.body.childNodes)
      new MutationObserver((changes) => {
        for (const { addedNodes } of changes) follow(addedNodes)
      }).observe(document.body, { childList: true })
    })
  })

/**
 * Waits until a toast with this text has come since the page was loaded, whether it is still there or not. The next call
 * waits for another one.
 * @param text a part of it, or a pattern
 */
export async function expectToast(page: Page, text: string | RegExp): Promise<void> {
  // A page that is being left has no toasts to tell of for a moment.
  await expect(async () => {
    const { isFound, others } = await page.evaluate((wanted) => {
      const at = window.toasts.findIndex((toast) =>
        typeof wanted === 'string' ? toast.includes(wanted) : wanted.test(toast),
      )
      if (at >= 0) window.toasts.splice(at, 1)
      return { isFound: at >= 0, others: window.toasts.join('\n') }
    }, text)
    expect(isFound, `No toast says ${text}. Others:\n${others}`).toBe(true)
  }).toPass()
}

/** Toasts of this page stay until they are dismissed: what would have been done after four seconds or more is not. */
export const letToastsStay = (page: Page): Promise<unknown> =>
  page.addInitScript(() => {
    const { setTimeout: start } = window
    const longest = 2 ** 31 - 1
    window.setTimeout = ((callback: TimerHandler, delay = 0, ...rest: unknown[]) =>
      start(callback, delay >= 4000 ? longest : delay, ...rest)) as typeof setTimeout
  })
