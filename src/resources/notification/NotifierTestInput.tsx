import Button from '@mui/material/Button'
import { Suspense, use, useState } from 'react'
import { useTranslate } from 'react-admin'
import { AnnouncedFeaturesContext } from '../../engine/define/announcedFeatures.ts'
import { FlagInput } from '../../engine/kinds/FlagInput.tsx'
import type { InputProps } from '../../engine/kinds/parts/kind.ts'
import { lazyPart } from '../../engine/parts/lazyPart.tsx'

const NotifierPreviewDialog = lazyPart(() => import('./NotifierPreviewDialog.tsx'))

/** Whether saving a notifier sends a test message; and the message as it would go out, where the server shows it. */
export default function NotifierTestInput(props: InputProps) {
  const translate = useTranslate()
  const announced = use(AnnouncedFeaturesContext)
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <FlagInput {...props} />
      {announced?.has('notifier_preview') ? (
        <div>
          <Button variant="outlined" size="small" aria-haspopup="dialog" onClick={() => setOpen(true)}>
            {translate('app.notifier_dialogs.preview')}
          </Button>
        </div>
      ) : null}
      <Suspense>{isOpen ? <NotifierPreviewDialog onClose={() => setOpen(false)} /> : null}</Suspense>
    </>
  )
}
