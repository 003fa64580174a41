import { createContext, use, useEffect } from 'react'

/** The site's name, for titles. The layout provides it. */
export const SiteNameContext = createContext('')

/** Puts the screen's title before the site's name into the browser's tab. */
export function usePageTitle(title: string) {
  const siteName = use(SiteNameContext)
  useEffect(() => {
    document.title = siteName ? `${title} · ${siteName}` : title
  }, [title, siteName])
}
