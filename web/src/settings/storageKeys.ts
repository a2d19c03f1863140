// The keys in the browser's storage that app/preload.ts reads too, before anything else has been loaded.

export const SETTINGS_KEY = "jasstisch.settings";
export const LAST_CHOICES_KEY = "jasstisch.lately";
