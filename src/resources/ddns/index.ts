import { action } from '../../engine/define/action.ts'
import { column, defineResource, derived } from '../../engine/define/defineResource.ts'
import { type FormValues, field, section, warning } from '../../engine/define/form.ts'
import { serverNow } from '../../live/serverClock.ts'
import type { TextContext } from '../../records/queryRows.ts'
import { ddns } from '../../schemas/ddns.ts'
import type { DdnsSummary } from '../../schemas/endpoints/ddnsResult.ts'
import { endpoints } from '../../schemas/endpoints/index.ts'
import DdnsStatus from './DdnsStatus.tsx'
import { ddnsSummariesQuery, ddnsSummaryText } from './useDdnsSummaries.ts'

const webhookText = async () => ({ default: (await import('../notification/notifierInputs.tsx')).WebhookTextInput })

const isWebhook = ({ provider }: FormValues<typeof ddns>) => provider === 'webhook'

export default defineResource(ddns, {
  live: ({ queryClient, dataProvider }) => queryClient.fetchQuery(ddnsSummariesQuery(dataProvider.call)),
  columns: [
    'id',
    'name',
    'enable_ipv4',
    'enable_ipv6',
    'provider',
    'domains',
    column('max_retries', { align: 'end' }),
    derived('last_update', {
      Cell: DdnsStatus,
      sort: false,
      file: ({ id }, { live: summaries, language }: TextContext<readonly DdnsSummary[]>) =>
        ddnsSummaryText(
          summaries?.find(({ profile_id }) => profile_id === id),
          serverNow(),
          language,
        ),
      needs: ['live'],
      announced: 'ddns',
    }),
  ],
  card: { beside: [], metrics: ['provider', 'last_update'], below: ['domains'] },
  filters: ['name', 'provider', 'domains', 'enable_ipv4', 'enable_ipv6'],
  form: [
    'name',
    'domains',
    'max_retries',
    'enable_ipv4',
    'enable_ipv6',
    section('provider', [field('provider', () => import('./DdnsProviderInput.tsx')), 'access_id', 'access_secret']),
    section(
      'webhook',
      [
        field('webhook_url', webhookText),
        'webhook_method',
        'webhook_request_type',
        field('webhook_request_body', webhookText),
        'webhook_headers',
      ],
      { when: isWebhook },
    ),
  ],
  notes: [warning('no_family', ({ enable_ipv4, enable_ipv6 }) => !enable_ipv4 && !enable_ipv6)],
  rowActions: [
    action('send', endpoints.updateDdns, {
      announced: 'ddns',
      report: ({ names }) =>
        names > 0
          ? { key: 'resources.ddns.actions.send.done', args: { smart_count: names } }
          : { key: 'resources.ddns.actions.send.nothing', type: 'info' },
    }),
    'edit',
    'delete',
  ],
})
