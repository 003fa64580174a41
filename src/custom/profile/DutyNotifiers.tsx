import Button from '@mui/material/Button'
import { useMutation } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import { useDataProvider, useTranslate } from 'react-admin'
import { Panel } from '../../components/Panel.tsx'
import type { ConsoleDataProvider } from '../../dataProvider.ts'
import { LazyReferencePicker } from '../../engine/kinds/reference/LazyReferencePicker.ts'
import { useToast } from '../../engine/parts/useToast.ts'
import { rotaEndpoints } from '../../schemas/endpoints/rotaEndpoints.ts'

/** By which of their notifiers somebody is told while on duty. */
export function DutyNotifiers({ saved, onSaved }: { saved: readonly number[]; onSaved: () => void }) {
  const translate = useTranslate()
  const { call } = useDataProvider<ConsoleDataProvider>()
  const { show, showError } = useToast()
  const [chosen, setChosen] = useState<readonly number[]>(saved)
  const isChanged = chosen.join() !== saved.join()
  const { mutate, isPending } = useMutation({
    mutationFn: () => call(rotaEndpoints.setOwnNotifiers, { notifiers: [...chosen] }),
    onError: showError,
    onSuccess: () => {
      show({ key: 'app.rota.saved' })
      onSaved()
    },
  })
  return (
    <Panel
      title={translate('app.rota.title')}
      hint={translate('app.rota.own_hint')}
      action={
        <Button variant="outlined" disabled={!isChanged} loading={isPending} onClick={() => mutate()}>
          {translate('app.action.save')}
        </Button>
      }
    >
      <Suspense>
        <LazyReferencePicker
          to="notification"
          required
          label={translate('app.rota.own')}
          multiple
          chosen={chosen}
          onChoose={(ids) => setChosen([...ids].sort((one, other) => one - other))}
        />
      </Suspense>
    </Panel>
  )
}
