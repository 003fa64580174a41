import { useTranslate } from 'react-admin'
import { DialogButton } from '../../../components/DialogButton.tsx'
import { lazyPart } from '../../../engine/parts/lazyPart.tsx'

const AddressesDialog = lazyPart(() => import('./AddressesDialog.tsx'))

/** A button that opens the dialog for services by a list of addresses. */
export function AddressesButton() {
  const translate = useTranslate()
  return <DialogButton label={translate('app.addresses.menu')} dialog={AddressesDialog} />
}
