import Button from '@mui/material/Button'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import { use, useMemo, useState } from 'react'
import { useTranslate } from 'react-admin'
import { useFormContext } from 'react-hook-form'
import { z } from 'zod'
import { FormDialog } from '../../components/FormDialog.tsx'
import { presets } from '../../domain/notifierPresets/index.ts'
import type { Preset } from '../../domain/notifierPresets/preset.ts'
import { AnnouncedFeaturesContext } from '../../engine/define/page.tsx'
import { apartFromForm } from '../../engine/form/apartFromForm.ts'
import { ActionDialog } from '../../engine/parts/ActionDialog.tsx'
import { defineEntity } from '../../schemas/define/entity.ts'
import type { Values } from '../../schemas/define/values.ts'

/** Asks which service is to get the messages, and what that needs; then fills in the form of the notifier. */
export default function PresetDialog({ onClose }: { onClose: () => void }) {
  const [chosen, setChosen] = useState<Preset>()
  return (
    <div {...apartFromForm}>
      {chosen ? <Questions preset={chosen} onClose={onClose} /> : <Services onChoose={setChosen} onClose={onClose} />}
    </div>
  )
}

function Services({ onChoose, onClose }: { onChoose: (preset: Preset) => void; onClose: () => void }) {
  const translate = useTranslate()
  const announced = use(AnnouncedFeaturesContext)
  const offered = presets.filter((preset) => !preset.announced || announced?.has(preset.announced))
  return (
    <ActionDialog title={translate('app.notifier_dialogs.which_service')} width={560} onClose={onClose}>
      <DialogContent dividers>
        <div style={{ display: 'grid', gap: 8, gridTemplateColumns: 'repeat(auto-fill, minmax(150px, 1fr))' }}>
          {offered.map((preset) => (
            <Button key={preset.id} variant="outlined" color="inherit" onClick={() => onChoose(preset)}>
              {preset.name}
            </Button>
          ))}
        </div>
      </DialogContent>
      <DialogActions>
        <Button onClick={onClose}>{translate('app.action.cancel')}</Button>
      </DialogActions>
    </ActionDialog>
  )
}

function Questions({ preset, onClose }: { preset: Preset; onClose: () => void }) {
  const translate = useTranslate()
  const { setValue, getValues } = useFormContext()
  const textOf = (key: string | undefined) => (key ? translate(key) : '')
  const { questions, fill, name, help } = preset
  const entity = useMemo(
    () =>
      defineEntity({
        name: 'notifier-preset',
        form: z.object(Object.fromEntries(Object.entries(questions).map(([key, { answer }]) => [key, answer]))),
      }),
    [questions],
  )
  const fillIn = async (values: Values) => {
    const answers = Object.fromEntries(Object.entries(values).map(([key, value]) => [key, String(value ?? '')]))
    const named = getValues('name') ? {} : { name }
    for (const [field, value] of Object.entries({ ...named, ...fill(answers) })) {
      setValue(field, value, { shouldDirty: true })
    }
  }
  return (
    <FormDialog
      title={name}
      entity={entity}
      labelOf={(key) => textOf(questions[key]?.label)}
      helpOf={(key) => textOf(questions[key]?.help)}
      submitLabel={translate('app.notifier_dialogs.fill_in')}
      onSubmit={fillIn}
      onClose={onClose}
    >
      <p style={{ margin: 0 }}>{translate(help)}</p>
    </FormDialog>
  )
}
