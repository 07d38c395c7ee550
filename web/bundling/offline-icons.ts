import { addIcon as add, Icon } from '@iconify/vue/offline';

/**
 * What the component library uses of `@iconify/vue`, without what asks a server for icons: the build holds every icon that
 * the console names.
 */
export { Icon };

/** Stores an icon under the name that components ask for: `lucide-x` for `lucide:x`. */
export const addIcon = (name: string, icon: Parameters<typeof add>[1]): void => add(name.replace(':', '-'), icon);

export const iconLoaded = (): boolean => true;
