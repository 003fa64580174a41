import './print.css'

/**
 * Shows the light theme while the page is printed: nobody wants a dark sheet of paper. Charts follow, because they are
 * painted in the colours of the page's attribute. Loaded after the first screen, as nobody prints sooner.
 */
export function followPrinting(): void {
  const { dataset } = document.documentElement
  let before: string | undefined
  const begin = () => {
    before ??= dataset.theme
    dataset.theme = 'light'
  }
  const end = () => {
    if (before) dataset.theme = before
    before = undefined
  }
  addEventListener('beforeprint', begin)
  addEventListener('afterprint', end)
  // A preview of the printed page, as in a browser's tools.
  const print = matchMedia('print')
  print.addEventListener('change', ({ matches }) => (matches ? begin() : end()))
  if (print.matches) begin()
}
