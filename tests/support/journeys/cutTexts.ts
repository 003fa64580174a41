import type { Page } from '@playwright/test'

/**
 * Texts on the page that are cut or stand over an edge: a page wider than its window, a text that leaves its box or that
 * is hidden there without an ellipsis, and tools that are reached only by scrolling to the side. What scrolls, and an
 * ellipsis whose text can be read elsewhere, are meant to be so.
 */
export function cutTexts(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const found = new Set<string>()
    const { clientWidth, scrollWidth } = document.documentElement
    if (scrollWidth > clientWidth + 1) found.add(`the page has ${scrollWidth} pixels in ${clientWidth}`)
    for (const box of document.querySelectorAll('[role=toolbar] *')) {
      const { overflowX } = getComputedStyle(box)
      if (overflowX === 'auto' && box.scrollWidth > box.clientWidth + 1) found.add(`tools: ${box.textContent}`)
    }
    const dialogs = document.querySelectorAll('[role=dialog], [role=alertdialog]')
    const scope = [...dialogs].at(-1) ?? document.body
    const texts = document.createTreeWalker(scope, NodeFilter.SHOW_TEXT)
    const range = document.createRange()
    while (texts.nextNode()) {
      const text = texts.currentNode
      range.selectNodeContents(text)
      const { left, right, width } = range.getBoundingClientRect()
      if (width === 0 || text.textContent?.trim() === '') continue
      for (let box = text.parentElement; box && box !== document.body; box = box.parentElement) {
        const { display, overflowX, position, textOverflow, visibility, webkitLineClamp } = getComputedStyle(box)
        // Seen by nobody, or read out only; what scrolls shows the rest.
        if (visibility === 'hidden' || box.clientWidth === 1 || box.tagName === 'FIELDSET' || box.tagName === 'OPTION')
          break
        if (overflowX === 'auto' || overflowX === 'scroll') break
        if (textOverflow === 'ellipsis' || webkitLineClamp !== 'none') break
        if (display === 'inline' || display === 'contents') continue
        const edges = box.getBoundingClientRect()
        if (right > edges.right + 2 || left < edges.left - 2) {
          found.add(`${text.textContent}: ${Math.round(Math.max(right - edges.right, edges.left - left))} pixels`)
          break
        }
        if (position === 'fixed') break
      }
    }
    return [...found]
  })
}
