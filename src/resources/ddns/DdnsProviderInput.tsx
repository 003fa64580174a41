import NativeSelect from '@mui/material/NativeSelect'
import OutlinedInput from '@mui/material/OutlinedInput'
import { useQuery } from '@tanstack/react-query'
import { useDataProvider } from 'react-admin'
import type { ConsoleDataProvider } from '../../dataProvider.ts'
import { describedBy, FieldFrame, type InputProps, useField } from '../../engine/kinds/parts/kind.tsx'
import { knownProviders } from '../../schemas/ddns.ts'
import { endpoints } from '../../schemas/endpoints/index.ts'

/** Names of known providers; others are shown by the name that the server uses. */
const names: Readonly<Record<string, string>> = {
  cloudflare: 'Cloudflare',
  tencentcloud: 'Tencent Cloud',
  he: 'Hurricane Electric (he.net)',
  webhook: 'Webhook',
}

/** The providers that the server offers; until it has answered, those that every server knows. */
export default function DdnsProviderInput({ field: description, label, help }: InputProps) {
  const { id, field, error } = useField<string>(description)
  const { ref, ...rest } = field
  const dataProvider = useDataProvider<ConsoleDataProvider>()
  const { data } = useQuery({
    queryKey: ['ddns', 'providers'],
    queryFn: () => dataProvider.call(endpoints.ddnsProviders),
    staleTime: Number.POSITIVE_INFINITY,
  })
  const offered: readonly string[] = data?.length ? data : knownProviders
  const stored = field.value || 'dummy'
  const choices = offered.includes(stored) ? offered : [...offered, stored]
  return (
    <FieldFrame id={id} label={label} help={help} required error={error}>
      <NativeSelect
        {...rest}
        value={stored}
        inputRef={ref}
        input={<OutlinedInput size="small" notched={false} />}
        inputProps={{ id, 'aria-describedby': describedBy(id) }}
      >
        {choices.map((provider) => (
          <option key={provider} value={provider}>
            {names[provider] ?? provider}
          </option>
        ))}
      </NativeSelect>
    </FieldFrame>
  )
}
