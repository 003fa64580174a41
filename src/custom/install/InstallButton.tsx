import { useTranslate } from 'react-admin'
import { DialogButton } from '../../components/DialogButton.tsx'
import { lazyPart } from '../../engine/parts/lazyPart.tsx'

const InstallDialog = lazyPart(() => import('./InstallDialog.tsx'))

/** A button that opens the dialog for adding a machine. */
export function InstallButton() {
  const translate = useTranslate()
  return <DialogButton label={translate('app.install.menu')} dialog={InstallDialog} />
}
