import type { Knex } from 'knex';

/**
 * What keeps contacts from being counted wrongly. Columns are added without a rewrite, under an exclusive lock of
 * milliseconds; the index is built over no rows. Campaigns that an uninstallation cancelled are then marked, under row
 * locks: a few seconds for a million campaigns.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table campaign add column ended_by_uninstall boolean not null default false;
    comment on column campaign.ended_by_uninstall is 'it was open when the tenant was uninstalled: cancelled, whatever becomes of its sub-tasks';
    update campaign set ended_by_uninstall = true where status = 'cancelled' and not cancel_requested;

    alter table broadcast_task add column withheld_from text references broadcast_task;
    comment on column broadcast_task.withheld_from is 'the sub-task that its contacts were taken out of because another had been sent to them; if that one was sent, too, they got it twice';
    create index broadcast_task_withheld on broadcast_task (withheld_from) where withheld_from is not null;`);
}
