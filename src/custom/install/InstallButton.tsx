import Button from '@mui/material/Button'
import { Suspense, useState } from 'react'
import { useTranslate } from 'react-admin'
import { lazyPart } from '../../engine/parts/lazyPart.tsx'

const InstallDialog = lazyPart(() => import('./InstallDialog.tsx'))

/** A button that opens the dialog for adding a machine. */
export function InstallButton() {
  const translate = useTranslate()
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button variant="outlined" color="inherit" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        {translate('app.install.menu')}
      </Button>
      {isOpen ? (
        <Suspense>
          <InstallDialog onClose={() => setOpen(false)} />
        </Suspense>
      ) : null}
    </>
  )
}
