import { queryOptions, useQuery } from '@tanstack/react-query'
import { type DataProvider, useDataProvider, useTranslate } from 'react-admin'
import { confirmSession } from '../api/confirmSession.ts'
import type { Endpoint, ReplyOf } from '../schemas/define/endpoint.ts'
import { endpoints } from '../schemas/endpoints/index.ts'
import type { Setting } from '../schemas/settings/setting.ts'
import { rememberLanguage } from '../site/publicSetting.ts'

/** The part of the data provider that calls endpoints outside CRUD. */
interface Caller {
  call<E extends Endpoint>(endpoint: E): Promise<ReplyOf<E>>
}

/** The query for the site's settings, also for code outside of components. */
export const settingQuery = (dataProvider: Caller) =>
  queryOptions({
    queryKey: ['setting'],
    // The settings are public.
    queryFn: async ({ client }) => {
      await confirmSession(client, dataProvider.call)
      const setting = await dataProvider.call(endpoints.setting)
      // The next start uses this language from the beginning, unless the user has chosen another.
      if (setting.config.language) rememberLanguage(setting.config.language)
      return setting
    },
    staleTime: 5 * 60_000,
    refetchInterval: ({ state }) => troubles.some((name) => hasWarning(state.data, name)) && troubleRefetchMs,
  })

/** The warnings of the server that every screen shows. */
const troubles = ['disk_full', 'database_busy', 'database_away', 'backup_failed', 'restarted', 'overloaded'] as const
type Trouble = (typeof troubles)[number]

/** While there is one, the settings are read again at this interval, to say when it is over. */
const troubleRefetchMs = 15_000

const hasWarning = (setting: Setting | undefined, name: Trouble) =>
  setting?.wheelhouse?.warnings?.includes(name) ?? false

/** The site's settings that this user may read; `undefined` while loading and after an error. */
export function useSetting(): Setting | undefined {
  return useQuery(settingQuery(useDataProvider<Caller & DataProvider>())).data
}

/** The troubles that the server has reported. */
export function useServerTroubles(): Trouble[] {
  const setting = useSetting()
  return troubles.filter((name) => hasWarning(setting, name))
}

/** The site's name, or a default title. */
export function useSiteName(): string {
  const translate = useTranslate()
  return useSetting()?.config.site_name || translate('app.shell.fallback_title')
}
