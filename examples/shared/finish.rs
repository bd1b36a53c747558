//! Ends a run: after a number of frames, on Esc or when the window is closed. Saves the last frame
//! and prints the last contacts if the command line or the lack of a window ask for it.

use std::path::{Path, PathBuf};

use bevy::image::ImageFormat;
use bevy::prelude::*;
use bevy::render::view::screenshot::{Screenshot, ScreenshotCaptured};
use bevy::window::WindowCloseRequested;
use bevy_nudge::geometry::ContactStatus;
use bevy_nudge::inspector::keyboard_is_free;
use bevy_nudge::prelude::*;

/// Where the picture of a frame can be taken from.
#[derive(Clone)]
pub(crate) enum Picture {
    /// The window.
    Window,
    /// The image that the camera draws into.
    Image(Handle<Image>),
    /// Nothing is drawn.
    None,
}

/// Counts frames and ends the run.
#[derive(Resource, Clone)]
pub(crate) struct FinishPlugin {
    /// The frame after which the run ends by itself, from 1.
    pub(crate) last_frame: Option<u32>,
    /// Where to save the last frame.
    pub(crate) screenshot: Option<PathBuf>,
    /// Where to take it from.
    pub(crate) picture: Picture,
    /// Whether to print the contacts of the last frame.
    pub(crate) prints_contacts: bool,
}

impl Plugin for FinishPlugin {
    fn build(&self, app: &mut App) {
        app.insert_resource(self.clone())
            .init_resource::<Progress>()
            .add_systems(Update, finish_on_escape.run_if(keyboard_is_free))
            .add_systems(Last, (finish_on_last_frame, finish, wait_for_picture).chain());
    }
}

/// How far the run is.
#[derive(Resource, Default, PartialEq)]
enum Progress {
    #[default]
    Running,
    Finishing,
    WaitingForPicture {
        frames: u32,
    },
    Done,
}

fn finish_on_escape(keys: Res<ButtonInput<KeyCode>>, mut progress: ResMut<Progress>) {
    if keys.just_pressed(KeyCode::Escape) && *progress == Progress::Running {
        *progress = Progress::Finishing;
    }
}

fn finish_on_last_frame(
    plan: Res<FinishPlugin>,
    mut frame: Local<u32>,
    mut close_requests: MessageReader<WindowCloseRequested>,
    mut progress: ResMut<Progress>,
) {
    *frame = frame.saturating_add(1);
    let is_closed = close_requests.read().count() > 0;
    if *progress == Progress::Running && (is_closed || plan.last_frame == Some(*frame)) {
        *progress = Progress::Finishing;
    }
}

fn finish(
    plan: Res<FinishPlugin>,
    contacts: Option<Res<Contacts>>,
    names: Query<NameOrEntity>,
    mut progress: ResMut<Progress>,
    mut commands: Commands,
    mut exit: MessageWriter<AppExit>,
) {
    if *progress != Progress::Finishing {
        return;
    }
    if let Some(contacts) = contacts.filter(|_| plan.prints_contacts) {
        print_contacts(&contacts, &names);
    }
    *progress = Progress::Done;
    if plan.screenshot.is_none() {
        exit.write(AppExit::Success);
    } else if take_picture(&plan.picture, &mut commands) {
        *progress = Progress::WaitingForPicture { frames: 0 };
    } else {
        eprintln!("no picture could be made: this machine has no graphics adapter to draw with");
        exit.write(AppExit::error());
    }
}

/// Lines of the list of contacts. The panel shows them all.
const PRINTED_CONTACTS: usize = 20;

fn print_contacts(contacts: &Contacts, names: &Query<NameOrEntity>) {
    let name = |entity| names.get(entity).map_or_else(|_| format!("{entity}"), |n| n.to_string());
    println!("contacts in the last step: {}", contacts.len());
    for pair in contacts.iter().take(PRINTED_CONTACTS) {
        let contact = pair.contact;
        let how = match contact.status {
            ContactStatus::Touching => "touch".to_owned(),
            ContactStatus::Overlapping => format!("overlap by {:.3}", contact.depth),
        };
        // Adding zero makes a zero of either sign a plain one.
        let (a, b, normal) = (name(pair.a), name(pair.b), contact.normal + Vec2::ZERO);
        println!("  {a} and {b} {how}, normal ({:.3}, {:.3})", normal.x, normal.y);
    }
    if let Some(more) = contacts.len().checked_sub(PRINTED_CONTACTS).filter(|&more| more > 0) {
        println!("  and {more} more");
    }
}

/// Asks for a picture of this frame. False if nothing is drawn.
fn take_picture(picture: &Picture, commands: &mut Commands) -> bool {
    let screenshot = match picture {
        Picture::Window => Screenshot::primary_window(),
        Picture::Image(image) => Screenshot::image(image.clone()),
        Picture::None => return false,
    };
    commands.spawn(screenshot).observe(save_picture);
    true
}

fn save_picture(
    captured: On<ScreenshotCaptured>,
    plan: Res<FinishPlugin>,
    mut progress: ResMut<Progress>,
    mut exit: MessageWriter<AppExit>,
) {
    let Some(path) = plan.screenshot.as_deref().filter(|_| *progress != Progress::Done) else {
        return;
    };
    *progress = Progress::Done;
    match write_png(&captured.image, path) {
        Ok(()) => {
            println!("saved {}", path.display());
            exit.write(AppExit::Success);
        }
        Err(reason) => {
            eprintln!("cannot save the picture to {}: {reason}", path.display());
            exit.write(AppExit::error());
        }
    }
}

/// Always as PNG, whatever the name of the file ends in.
pub(crate) fn write_png(image: &Image, path: &Path) -> Result<(), Box<dyn std::error::Error>> {
    let format = ImageFormat::Png.as_image_crate_format().ok_or("PNG is switched off")?;
    // Without alpha: what is behind the picture is of no interest.
    let pixels = image.clone().try_into_dynamic()?.to_rgb8();
    Ok(pixels.save_with_format(path, format)?)
}

/// Frames after which a picture that did not come is asked for again: the window may not have been
/// on the screen yet.
const RETRY_AFTER: u32 = 60;
/// Frames after which it is given up.
const GIVE_UP_AFTER: u32 = 600;

fn wait_for_picture(
    plan: Res<FinishPlugin>,
    mut progress: ResMut<Progress>,
    mut commands: Commands,
    mut exit: MessageWriter<AppExit>,
) {
    let Progress::WaitingForPicture { frames } = &mut *progress else {
        return;
    };
    *frames += 1;
    if *frames >= GIVE_UP_AFTER {
        eprintln!("no picture could be made: the window is not drawn; is it hidden?");
        *progress = Progress::Done;
        exit.write(AppExit::error());
    } else if frames.is_multiple_of(RETRY_AFTER) {
        take_picture(&plan.picture, &mut commands);
    }
}
