import Button from '@mui/material/Button'
import OutlinedInput from '@mui/material/OutlinedInput'
import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useId, useState } from 'react'
import { useDataProvider, useTranslate } from 'react-admin'
import type { ConsoleDataProvider } from '../../../dataProvider.ts'
import { readBytes } from '../../../domain/contract/readBytes.ts'
import { describedBy, FieldFrame } from '../../../engine/kinds/parts/FieldFrame.tsx'
import { useToast } from '../../../engine/parts/useToast.ts'
import { contractEndpoints } from '../../../schemas/endpoints/contractEndpoints.ts'
import type { ServerTraffic } from '../../../schemas/endpoints/trafficEndpoints.ts'

/** Takes what the provider has counted so far in the present period, and takes such a correction back. */
export function TrafficCorrection({ traffic }: { traffic: ServerTraffic }) {
  const translate = useTranslate()
  const dataProvider = useDataProvider<ConsoleDataProvider>()
  const queryClient = useQueryClient()
  const { showError } = useToast()
  const id = useId()
  const [typed, setTyped] = useState<string>()
  const [isSaving, setSaving] = useState(false)
  const used = readBytes(typed ?? '')

  /** @param bytes `null` takes the latest correction back */
  async function correct(bytes: number | null): Promise<void> {
    setSaving(true)
    try {
      await dataProvider.call(contractEndpoints.correctTraffic, { id: traffic.server_id, used: bytes })
      setTyped(undefined)
      await queryClient.invalidateQueries({ queryKey: ['server', 'traffic'] })
    } catch (error) {
      showError(error)
    }
    setSaving(false)
  }

  function save(event: FormEvent): void {
    event.preventDefault()
    if (used !== undefined) void correct(used)
  }

  const button = { size: 'small', color: 'inherit', variant: 'outlined', disabled: isSaving } as const
  if (typed === undefined) {
    return (
      <div style={{ display: 'flex', gap: 8, marginTop: 12 }}>
        <Button {...button} onClick={() => setTyped('')}>
          {translate('app.contract.correct')}
        </Button>
        {traffic.correction ? (
          <Button {...button} onClick={() => void correct(null)}>
            {translate('app.contract.take_back')}
          </Button>
        ) : null}
      </div>
    )
  }
  return (
    <form noValidate onSubmit={save} style={{ display: 'grid', gap: 8, marginTop: 12, maxWidth: 360 }}>
      <FieldFrame id={id} label={translate('app.contract.provider_shows')} required>
        <OutlinedInput
          id={id}
          size="small"
          autoFocus
          value={typed}
          placeholder="120 GB"
          onChange={({ target }) => setTyped(target.value)}
          slotProps={{ input: { maxLength: 40, 'aria-describedby': describedBy(id) } }}
        />
      </FieldFrame>
      <div style={{ display: 'flex', gap: 8 }}>
        <Button type="submit" size="small" variant="contained" disabled={used === undefined || isSaving}>
          {translate('ra.action.save')}
        </Button>
        <Button {...button} onClick={() => setTyped(undefined)}>
          {translate('ra.action.cancel')}
        </Button>
      </div>
    </form>
  )
}
