import Dialog from '@mui/material/Dialog'
import DialogTitle from '@mui/material/DialogTitle'
import useMediaQuery from '@mui/material/useMediaQuery'
import { useId } from 'react'
import { ListContextProvider, ResourceContextProvider } from 'react-admin'
import type { Resource } from '../define/defineResource.ts'
import type { ResourceEntry } from '../define/page.tsx'
import { ScreenContext, useScreenValue } from '../define/screen.ts'
import type { NewDialogProps } from '../kinds/reference/recordAddress.ts'
import { noList } from '../list/state/listView.tsx'
import { apartFromForm } from './apartFromForm.ts'
import { RecordForm } from './RecordForm.tsx'

interface NewRecordDialogProps extends NewDialogProps {
  entry: ResourceEntry
  definition: Resource
}

/** The form of a new record over another form, which stays as it is. */
export default function NewRecordDialog({ entry, definition, ...props }: NewRecordDialogProps) {
  const screen = useScreenValue(entry, definition)
  const titleId = useId()
  const isNarrow = useMediaQuery('(max-width: 600px)', { noSsr: true })
  return (
    <ScreenContext value={screen}>
      <ResourceContextProvider value={entry.entity.name}>
        <ListContextProvider value={noList}>
          <div {...apartFromForm}>
            <Dialog
              open
              // A click beside it would throw away what was typed.
              onClose={(_event, reason) => reason === 'backdropClick' || props.onClose()}
              aria-labelledby={titleId}
              fullScreen={isNarrow}
              fullWidth
              maxWidth={false}
              slotProps={{ paper: { sx: { maxWidth: 560 } } }}
            >
              <DialogTitle id={titleId}>
                {screen.translate('app.form.create_title', { entity: screen.texts.singular })}
              </DialogTitle>
              <RecordForm {...props} />
            </Dialog>
          </div>
        </ListContextProvider>
      </ResourceContextProvider>
    </ScreenContext>
  )
}
