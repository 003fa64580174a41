import { colours } from '../components/theme/tokens.ts'
import { registerServiceWorker } from '../site/serviceWorker.ts'
import { followPrinting } from './print/followPrinting.ts'

/** What nobody needs before the first screen is drawn, and which would only delay that. */
export default function afterFirstScreen(): void {
  followPrinting()
  followTheme()
  void registerServiceWorker()
}

/** Gives the bar above an installed app the colour of the header, in the theme that was chosen in this browser. */
function followTheme(): void {
  const page = document.documentElement
  const follow = () => {
    const { surface } = colours[page.dataset.theme === 'dark' ? 'dark' : 'light']
    for (const meta of document.querySelectorAll<HTMLMetaElement>('meta[name=theme-color]')) meta.content = surface
  }
  follow()
  new MutationObserver(follow).observe(page, { attributeFilter: ['data-theme'] })
}
