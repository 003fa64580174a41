import { DdnsStatus } from '../custom/cells/lazyCells.tsx'
import { DdnsProviderInput, WebhookTextInput } from '../custom/inputs/lazyInputs.ts'
import { ddns } from '../schemas/ddns.ts'
import { endpoints } from '../schemas/endpoints/index.ts'
import { action, column, defineResource, derived, field, section } from './engine/define/defineResource.ts'

const isWebhook = ({ provider }: Record<string, unknown>) => provider === 'webhook'

export default defineResource(ddns, {
  columns: [
    'id',
    'name',
    'enable_ipv4',
    'enable_ipv6',
    'provider',
    'domains',
    column('max_retries', undefined, { align: 'end' }),
    derived('last_update', DdnsStatus, { sortValue: false, announced: 'ddns' }),
  ],
  filters: ['name', 'provider', 'domains', 'enable_ipv4', 'enable_ipv6'],
  form: [
    'name',
    'domains',
    'max_retries',
    'enable_ipv4',
    'enable_ipv6',
    section('provider', [field('provider', { Input: DdnsProviderInput }), 'access_id', 'access_secret']),
    section(
      'webhook',
      [
        field('webhook_url', { Input: WebhookTextInput }),
        'webhook_method',
        'webhook_request_type',
        field('webhook_request_body', { Input: WebhookTextInput }),
        'webhook_headers',
      ],
      { when: isWebhook },
    ),
  ],
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
