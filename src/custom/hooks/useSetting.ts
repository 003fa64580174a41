import { queryOptions, useQuery } from '@tanstack/react-query'
import { type DataProvider, useDataProvider, useTranslate } from 'react-admin'
import type { Endpoint, ReplyOf } from '../../schemas/define/endpoint.ts'
import { endpoints } from '../../schemas/endpoints/index.ts'
import type { Setting } from '../../schemas/settings/setting.ts'
import { rememberLanguage } from '../login/publicSetting.ts'

/** The part of the data provider that calls endpoints outside CRUD. */
interface Caller {
  call<E extends Endpoint>(endpoint: E): Promise<ReplyOf<E>>
}

/** The question for the site's settings, for screens and for what asks outside of them. */
export const settingQuery = (dataProvider: Caller) =>
  queryOptions({
    queryKey: ['setting'],
    // The settings are public, and a revoked session that is shown to a public route counts as an attack. A protected
    // route is asked first: if the session is over, it fails without harm, and its cookies are gone.
    queryFn: async () => {
      await dataProvider.call(endpoints.profile)
      const setting = await dataProvider.call(endpoints.setting)
      // The next start speaks it from the first word on, unless somebody has chosen another.
      if (setting.config.language) rememberLanguage(setting.config.language)
      return setting
    },
    staleTime: 5 * 60_000,
  })

/** The site's settings as far as this person may read them; `undefined` while loading and when they cannot be had. */
export function useSetting(): Setting | undefined {
  return useQuery(settingQuery(useDataProvider<Caller & DataProvider>())).data
}

/** The site's name, or what to call the console while there is none. */
export function useSiteName(): string {
  const translate = useTranslate()
  return useSetting()?.config.site_name || translate('app.shell.fallback_title')
}
