import { createContext, use, useEffect } from 'react'
import { isolate } from '../../../i18n/isolate.ts'
import { useTrouble } from '../../live/trouble.ts'

/** The site's name, for titles. The layout provides it. */
export const SiteNameContext = createContext('')

/** Puts the screen's title before the site's name into the browser's tab, and before both how much is wrong: '(3) Servers'. */
export function usePageTitle(title: string) {
  const siteName = use(SiteNameContext)
  const count = useTrouble((state) => state.count)
  useEffect(() => {
    const counted = count > 0 ? `(${count}) ${title}` : title
    document.title = siteName ? `${isolate(counted)} · ${isolate(siteName)}` : counted
  }, [title, siteName, count])
}
