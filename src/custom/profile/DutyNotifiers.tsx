import Button from '@mui/material/Button'
import { useMutation } from '@tanstack/react-query'
import { Suspense, useId, useState } from 'react'
import { useDataProvider, useTranslate } from 'react-admin'
import { Panel } from '../../components/Panel.tsx'
import type { ConsoleDataProvider } from '../../dataProvider.ts'
import { LazyReferencePicker } from '../../engine/kinds/reference/LazyReferencePicker.ts'
import { useToast } from '../../engine/parts/useToast.ts'
import type { FieldDescription } from '../../schemas/define/describe.ts'
import { rotaEndpoints } from '../../schemas/endpoints/rotaEndpoints.ts'

const field: FieldDescription = {
  name: 'notifiers',
  kind: 'refs',
  to: 'notification',
  editable: true,
  required: true,
  omittable: false,
  nullable: false,
}
const binding = { onBlur: () => {}, ref: () => {} }

/** By which of their notifiers somebody is told while on duty. */
export function DutyNotifiers({ saved, onSaved }: { saved: readonly number[]; onSaved: () => void }) {
  const translate = useTranslate()
  const id = useId()
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
          field={field}
          entity="profile"
          label={translate('app.rota.own')}
          id={id}
          binding={binding}
          multiple
          chosen={chosen}
          onChoose={(ids) => setChosen([...ids].sort((one, other) => one - other))}
        />
      </Suspense>
    </Panel>
  )
}
