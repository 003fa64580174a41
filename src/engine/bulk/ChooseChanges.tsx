import Button from '@mui/material/Button'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import { useMemo } from 'react'
import type { RaRecord } from 'react-admin'
import { useFormContext } from 'react-hook-form'
import { emptyValue } from '../../schemas/define/describe.ts'
import { useScreen } from '../define/screen.ts'
import { SectionHeading } from '../form/sectionStyles.ts'
import { BulkFieldInput, type TickedField } from './BulkFieldInput.tsx'
import { type BulkField, bulkFields } from './fieldChange.ts'

export type TickedFields = Readonly<Record<string, TickedField | undefined>>

interface ChooseChangesProps {
  records: readonly RaRecord[]
  ticked: TickedFields
  onTick: (field: string, ticked: TickedField | undefined) => void
  /** While the preview is being made. */
  isPlanning: boolean
  onCancel: () => void
  onPreview: () => void
}

/** The first step: which fields change, and how. */
export function ChooseChanges({ records, ticked, onTick, isPlanning, onCancel, onPreview }: ChooseChangesProps) {
  const { definition, texts, translate } = useScreen()
  const { resetField } = useFormContext()
  const sections = useMemo(() => bulkFields(definition, records), [definition, records])
  const tick = ({ source, field }: BulkField, next: TickedField | undefined) => {
    const isPart = next?.mode === 'add' || next?.mode === 'remove'
    const wasPart = ticked[source]?.mode === 'add' || ticked[source]?.mode === 'remove'
    // The whole value starts with what all records have, a part of it with nothing.
    if (next && isPart && !wasPart) resetField(source, { defaultValue: emptyValue(field.kind) })
    onTick(source, next)
  }
  const isAnyTicked = Object.values(ticked).some(Boolean)
  return (
    <>
      <DialogContent dividers>
        {sections.map(({ section, fields }) => (
          <section key={`${section} ${fields[0]?.source}`}>
            {section ? <SectionHeading>{texts.section(section)}</SectionHeading> : null}
            {fields.map((bulkField) => (
              <BulkFieldInput
                key={bulkField.source}
                bulkField={bulkField}
                ticked={ticked[bulkField.source]}
                records={records}
                onTick={(next) => tick(bulkField, next)}
              />
            ))}
          </section>
        ))}
      </DialogContent>
      <DialogActions>
        <Button onClick={onCancel}>{translate('app.action.cancel')}</Button>
        <Button variant="contained" disabled={!isAnyTicked} loading={isPlanning} onClick={onPreview}>
          {translate('app.bulk.preview')}
        </Button>
      </DialogActions>
    </>
  )
}
