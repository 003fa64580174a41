import { ProviderInput, WebhookTextInput } from '../custom/inputs/formInputs.ts'
import { ddns } from '../schemas/ddns.ts'
import { column, defineResource, field, section } from './engine/defineResource.ts'

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
  ],
  filters: ['name', 'provider', 'domains', 'enable_ipv4', 'enable_ipv6'],
  form: [
    'name',
    'domains',
    'max_retries',
    'enable_ipv4',
    'enable_ipv6',
    section('provider', [field('provider', { Input: ProviderInput }), 'access_id', 'access_secret']),
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
})
