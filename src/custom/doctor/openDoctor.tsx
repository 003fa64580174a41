import type { Root } from 'react-dom/client'
import { startLocale } from '../login/publicSetting.ts'
import { Doctor } from './DoctorPage.tsx'
import { loadTexts } from './texts/index.ts'

/** Puts the page in its place, in the language of the browser. */
export async function openDoctor(root: Root): Promise<void> {
  root.render(<Doctor first={await loadTexts(startLocale())} />)
}
