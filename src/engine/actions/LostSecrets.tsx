import Typography from '@mui/material/Typography'
import { useQuery } from '@tanstack/react-query'
import { use } from 'react'
import { type RaRecord, useDataProvider } from 'react-admin'
import type { ConsoleDataProvider } from '../../dataProvider.ts'
import type { Entity } from '../../schemas/define/entity.ts'
import { configurationEndpoints } from '../../schemas/endpoints/configurationEndpoints.ts'
import { secretFields } from '../../undo/restorable.ts'
import { AnnouncedFeaturesContext } from '../define/page.tsx'
import { useScreen } from '../define/screen.ts'

/**
 * Names the secrets that an undo of a deletion could not bring back: those that are set, where the server says which are;
 * else those that may be.
 */
export default function LostSecrets({ entity, records }: { entity: Entity; records: readonly RaRecord[] }) {
  const { texts, translate } = useScreen()
  const { call } = useDataProvider<ConsoleDataProvider>()
  const isTold = use(AnnouncedFeaturesContext)?.has('stored_secrets') === true
  const fields = secretFields(entity)
  const { data, isLoading } = useQuery({
    queryKey: ['stored-secrets'],
    queryFn: () => call(configurationEndpoints.storedSecrets),
    enabled: isTold && fields.length > 0,
    gcTime: 0,
  })
  const held = data && records.flatMap(({ id }) => data[entity.name]?.[String(id)] ?? [])
  const lost = held ? fields.filter(({ name }) => held.includes(name)) : fields
  if (isLoading || lost.length === 0) return null
  const key = held ? 'app.confirm.secrets_lost' : 'app.confirm.secrets_perhaps_lost'
  const names = lost.map(({ name }) => texts.label(name)).join(', ')
  return <Typography sx={{ marginTop: 1 }}>{translate(key, { fields: names })}</Typography>
}
