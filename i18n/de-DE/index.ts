import { app } from './app.ts'
import { later, laterResources } from './later.ts'
import { ra } from './ra.ts'
import { resources } from './resources.ts'
import { validation } from './validation.ts'

export default { ra, app: { ...app, ...later }, resources: { ...resources, ...laterResources }, validation }
