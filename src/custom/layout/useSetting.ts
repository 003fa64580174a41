import { useQuery } from '@tanstack/react-query'
import { useDataProvider, useTranslate } from 'react-admin'
import { type Endpoint, endpoints, type ReplyOf } from '../../schemas/endpoints.ts'
import type { Setting } from '../../schemas/setting.ts'

/** The part of the data provider that calls endpoints outside CRUD. */
interface Caller {
  call<E extends Endpoint>(endpoint: E): Promise<ReplyOf<E>>
}

/** The site's settings as far as this person may read them; `undefined` while loading and when they cannot be had. */
export function useSetting(): Setting | undefined {
  const dataProvider = useDataProvider() as unknown as Caller
  const { data } = useQuery({
    queryKey: ['setting'],
    queryFn: () => dataProvider.call(endpoints.setting),
    staleTime: 5 * 60_000,
  })
  return data
}

/** The site's name, or what to call the console while there is none. */
export function useSiteName(): string {
  const translate = useTranslate()
  return useSetting()?.config.site_name || translate('app.shell.fallback_title')
}
