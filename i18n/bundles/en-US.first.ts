import { textsIn } from '../define/text.ts'
import { ra } from '../reactAdmin/en-US.ts'
import { firstTexts } from './texts.ts'

export default { ra, ...textsIn('en', firstTexts) }
